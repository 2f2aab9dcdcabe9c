#include "engine/framework/overlay.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::framework {

// What the added pods add to a column that sums over pods; 0 for all others.
int64_t Overlay::added(const model::ColumnInfo& info) const {
  uint64_t sum = 0;
  for (model::TemplateId id : added_) {
    const model::PodTemplate& pod = cluster_.templates()[id];
    switch (info.attribute) {
      case model::Attribute::kNodePods:
        sum += 1;
        break;
      case model::Attribute::kNodeRequested:
        sum += static_cast<uint64_t>(model::amount_of(pod.accounted, info.key));
        break;
      case model::Attribute::kNodeNonzeroRequested:
        sum += static_cast<uint64_t>(cluster_.text(info.key) == "cpu" ? pod.nonzero_milli_cpu
                                                                      : pod.nonzero_memory);
        break;
      default:
        break;
    }
  }
  return static_cast<int64_t>(sum);
}

const Overlay::Own* Overlay::own(model::ColumnId column) const {
  for (const Own& own : own_)
    if (own.column == column) return &own;
  return nullptr;
}

Overlay::Own& Overlay::make_own(model::ColumnId column) {
  for (Own& own : own_)
    if (own.column == column) return own;
  own_.push_back({column, 0, {}});
  return own_.back();
}

void Overlay::set(model::ColumnId column, int64_t value) { make_own(column).value = value; }

void Overlay::set(model::ColumnId column, std::vector<uint64_t> elements) {
  make_own(column).elements = std::move(elements);
}

uint32_t Overlay::code(model::ColumnId column, const berth_column& base) const {
  if (const Own* mine = own(column)) return static_cast<uint32_t>(mine->value);
  return static_cast<const uint32_t*>(base.data)[row_];
}

void Overlay::read(model::ColumnId column, const model::ColumnInfo& info, const berth_column& base,
                   model::Gathered& out) const {
  const Own* mine = own(column);
  switch (info.attribute) {
    case model::Attribute::kNodePods:
    case model::Attribute::kNodeRequested:
    case model::Attribute::kNodeNonzeroRequested: {
      auto now = static_cast<uint64_t>(
          mine != nullptr ? mine->value : static_cast<const int64_t*>(base.data)[row_]);
      out.value(static_cast<int64_t>(now + static_cast<uint64_t>(added(info))));
      return;
    }
    case model::Attribute::kNodePorts:
      return read_ports(mine, base, out);
    default:
      break;
  }
  if (mine == nullptr) {
    out.positions(base, {&row_, 1});
  } else if (info.list) {
    BERTH_ASSERT(info.type == BERTH_U64);
    out.list(std::span<const uint64_t>(mine->elements));
  } else if (info.type == BERTH_U8) {
    out.value(static_cast<uint8_t>(mine->value));
  } else if (info.type == BERTH_U32) {
    out.value(static_cast<uint32_t>(mine->value));
  } else {
    BERTH_ASSERT(info.type == BERTH_I64);
    out.value(mine->value);
  }
}

void Overlay::read_ports(const Own* own, const berth_column& base, model::Gathered& out) const {
  const auto* first = static_cast<const uint64_t*>(base.data) + base.starts[row_];
  std::vector<uint64_t> ports =
      own != nullptr ? own->elements : std::vector<uint64_t>(first, first + base.sizes[row_]);
  for (model::TemplateId id : added_)
    for (uint64_t port : cluster_.templates()[id].ports)
      if (std::find(ports.begin(), ports.end(), port) == ports.end()) ports.push_back(port);
  out.list(std::span<const uint64_t>(ports));
}

}  // namespace berth::framework
