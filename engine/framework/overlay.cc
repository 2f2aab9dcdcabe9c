#include "engine/framework/overlay.h"

#include <algorithm>

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

void Overlay::read(const model::ColumnInfo& info, const berth_column& base,
                   model::Gathered& out) const {
  switch (info.attribute) {
    case model::Attribute::kNodePods:
    case model::Attribute::kNodeRequested:
    case model::Attribute::kNodeNonzeroRequested: {
      auto now = static_cast<uint64_t>(static_cast<const int64_t*>(base.data)[row_]);
      out.value(static_cast<int64_t>(now + static_cast<uint64_t>(added(info))));
      return;
    }
    case model::Attribute::kNodePorts: {
      const auto* first = static_cast<const uint64_t*>(base.data) + base.starts[row_];
      std::vector<uint64_t> ports(first, first + base.sizes[row_]);
      for (model::TemplateId id : added_)
        for (uint64_t port : cluster_.templates()[id].ports)
          if (std::find(ports.begin(), ports.end(), port) == ports.end()) ports.push_back(port);
      out.list(std::span<const uint64_t>(ports));
      return;
    }
    default:
      out.positions(base, {&row_, 1});
  }
}

}  // namespace berth::framework
