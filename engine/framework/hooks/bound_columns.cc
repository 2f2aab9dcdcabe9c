// The columns of a hook's calls: views of the model's columns, or copies of chosen positions.

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"
#include "engine/framework/hooks/bound_hook.h"
#include "engine/model/columns/column.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::framework {

void BoundHook::slice(const TemplateHook& state, uint32_t begin, uint32_t end,
                      CallColumns& out) const {
  BERTH_ASSERT(begin % model::Column::kBlock == 0);
  BERTH_ASSERT(up_to_date(state));
  const model::Catalog& catalog = std::as_const(*cluster_).catalog();
  out.columns.clear();
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const auto [source, aligned, follows_pods] = state.sources[i];
    if (source == nullptr) {
      out.columns.push_back(state.pod_columns[i]);
      continue;
    }
    berth_column& column = out.columns.emplace_back(source->view());
    if (!aligned) {
      // Values of nodes mean nothing to a hook over codes.
      if (over_dictionary() && catalog.info(state.inputs[i]).table == model::Table::kNodes)
        column = berth_column{};
      continue;
    }
    if (column.starts != nullptr) {
      column.starts += begin;
      column.sizes += begin;
    } else {
      column.data =
          static_cast<const std::byte*>(column.data) + begin * model::element_size(column.type);
    }
    column.count = end - begin;
  }
}

void BoundHook::gather(const TemplateHook& state, std::span<const uint32_t> positions,
                       const Overlay* overlay, CallColumns& out) const {
  const model::Catalog& catalog = std::as_const(*cluster_).catalog();
  slice(state, 0, 0, out);
  if (out.gathered.size() < state.inputs.size()) out.gathered.resize(state.inputs.size());
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const auto [source, aligned, follows_pods] = state.sources[i];
    if (source == nullptr) continue;
    const model::ColumnInfo& info = catalog.info(state.inputs[i]);
    model::Gathered& gathered = out.gathered[i];
    if (overlay != nullptr && info.table == model::Table::kCounts) {
      gathered.begin(info.type, info.list);
      overlay->read_counts(info, *source, gathered);
      out.columns[i] = gathered.view();
      continue;
    }
    if (!aligned) continue;
    const berth_column whole = source->view();
    gathered.begin(info.type, info.list);
    if (overlay != nullptr && info.table == model::Table::kNodes) {
      overlay->read(state.inputs[i], info, whole, gathered);
    } else {
      gathered.positions(whole, positions);
    }
    out.columns[i] = gathered.view();
    // A trial may change these values: then they are not the column's.
    out.columns[i].generation = overlay != nullptr && follows_pods ? 0 : whole.generation;
    out.columns[i].dictionary_size = whole.dictionary_size;
  }
}

bool BoundHook::gather_recent(const TemplateHook& state, RecentRows& recent,
                              const RecentRows::Range& places, CallColumns& out) const {
  BERTH_ASSERT(state.lagging.empty());
  if (over_dictionary()) return false;
  if (out.recent.size() < state.inputs.size()) {
    out.recent.resize(state.inputs.size());
    // So that the first decision that asks about fewer rows, and gathers them, does not allocate.
    constexpr uint32_t kFirstRows[] = {0, 0, 0};
    gather(state, kFirstRows, nullptr, out);
  }
  out.columns = state.pod_columns;
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const TemplateHook::Source& source = state.sources[i];
    if (source.column == nullptr) continue;
    berth_column& column = out.columns[i] = source.column->view();
    if (!source.aligned) continue;
    const std::byte* values = recent.values(*source.column);
    if (values == nullptr) return false;
    const size_t width = source.column->width(), begin = places.begin * width;
    column.count = places.size();
    column.data = values + begin;
    if (begin % model::AlignedBytes::kAlignment == 0) continue;
    model::AlignedBytes& copy = out.recent[i];
    copy.clear();
    constexpr size_t kUsual = 256;  // places: so that decisions do not allocate
    std::memcpy(copy.extend(std::max(places.size(), kUsual) * width), values + begin,
                places.size() * width);
    column.data = copy.data();
  }
  return true;
}

namespace {

// Copies the value of one position of a flat column.
inline void copy_value(const std::byte* values, model::Row row, size_t bytes, std::byte* to) {
  const std::byte* value = values + row * bytes;
  switch (bytes) {
    case 1:
      *to = *value;
      return;
    case sizeof(uint32_t):
      std::memcpy(to, value, sizeof(uint32_t));
      return;
    default:
      std::memcpy(to, value, sizeof(uint64_t));
  }
}

}  // namespace

// Makes ready for calls with the state.
void BoundHook::begin_one(const TemplateHook& state, RowColumns& out) {
  out.serial = state.serial;
  out.copied.clear();
  out.viewed.clear();
  std::vector<berth_column>& columns = out.of_call.columns;
  std::vector<CallColumns::One>& ones = out.of_call.ones;
  columns = state.pod_columns;
  if (ones.size() < columns.size()) ones.resize(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    const TemplateHook::Source& source = state.sources[i];
    if (source.column == nullptr) continue;
    if (!source.aligned || source.column->list()) {
      out.viewed.push_back(i);
      continue;
    }
    columns[i] = source.column->view();
    columns[i].count = 1;
    columns[i].data = ones[i].value;
    out.copied.push_back({source.column, ones[i].value, &columns[i]});
  }
}

// Elements of a list stay where they are: only its place is copied.
void BoundHook::view_one(const TemplateHook& state, size_t input, model::Row row, RowColumns& out) {
  const TemplateHook::Source& source = state.sources[input];
  berth_column& column = out.of_call.columns[input];
  column = source.column->view();
  if (!source.aligned) return;
  CallColumns::One& one = out.of_call.ones[input];
  column.count = 1;
  std::memcpy(one.start, column.starts + row, sizeof *column.starts);
  std::memcpy(one.size, column.sizes + row, sizeof *column.sizes);
  column.starts = reinterpret_cast<const uint32_t*>(one.start);
  column.sizes = reinterpret_cast<const uint32_t*>(one.size);
}

void BoundHook::gather_one(const TemplateHook& state, model::Row row, RowColumns& out) const {
  BERTH_ASSERT(!over_dictionary());
  BERTH_ASSERT(up_to_date(state));
  if (out.serial != state.serial) begin_one(state, out);
  for (const RowColumns::Copied& one : out.copied) {
    one.view->generation = one.column->generation();
    one.view->dictionary_size = one.column->dictionary_size();
    copy_value(one.column->bytes(), row, one.column->width(), one.to);
  }
  for (const size_t input : out.viewed) view_one(state, input, row, out);
}

void BoundHook::gather_row(const TemplateHook& state, uint32_t position, const Overlay& overlay,
                           bool again, CallColumns& out) const {
  BERTH_ASSERT(up_to_date(state));
  const model::Catalog& catalog = std::as_const(*cluster_).catalog();
  out.columns.resize(state.inputs.size());
  if (out.gathered.size() < state.inputs.size()) out.gathered.resize(state.inputs.size());
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const TemplateHook::Source& source = state.sources[i];
    if (again && !source.follows_pods) continue;
    if (source.column == nullptr) {
      out.columns[i] = state.pod_columns[i];
      continue;
    }
    const model::ColumnInfo& info = catalog.info(state.inputs[i]);
    model::Gathered& gathered = out.gathered[i];
    if (info.table == model::Table::kCounts) {
      gathered.begin(info.type, info.list);
      overlay.read_counts(info, *source.column, gathered);
      out.columns[i] = gathered.view();
      continue;
    }
    const berth_column whole = source.column->view();
    if (!source.aligned) {
      // Values of nodes mean nothing to a hook over codes.
      const bool of_nodes = over_dictionary() && info.table == model::Table::kNodes;
      out.columns[i] = of_nodes ? berth_column{} : whole;
      continue;
    }
    gathered.begin(info.type, info.list);
    if (info.table == model::Table::kNodes) {
      overlay.read(state.inputs[i], info, whole, gathered);
    } else {
      gathered.positions(whole, {&position, 1});
    }
    out.columns[i] = gathered.view();
    out.columns[i].generation = source.follows_pods ? 0 : whole.generation;
    out.columns[i].dictionary_size = whole.dictionary_size;
  }
}

void BoundHook::gather_pods(const TemplateHook* state,
                            std::span<const model::PodRecord* const> pods,
                            std::span<const model::Row> rows, CallColumns& out) const {
  const std::vector<model::ColumnId>& inputs = state != nullptr ? state->inputs : declared_;
  out.columns.clear();
  out.gathered.resize(std::max(out.gathered.size(), inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    out.columns.push_back(berth_column{});
    if (inputs[i] == 0) continue;
    const model::ColumnInfo& info = cluster_->catalog().info(inputs[i]);
    model::Gathered& gathered = out.gathered[i];
    gathered.begin(info.type, info.list);
    if (info.table == model::Table::kPods) {
      model::gather_pods(info, *cluster_, pods, gathered);
      out.columns[i] = gathered.view();
    } else if (info.table == model::Table::kNodes && !rows.empty()) {
      gather_nodes(inputs[i], pods, rows, gathered);
      out.columns[i] = gathered.view();
    } else if (info.table != model::Table::kEvents) {
      out.columns[i] = cluster_->view(inputs[i]);
    }
  }
}

void BoundHook::copy_tables(CallColumns& out) const {
  for (size_t i = 0; i < declared_.size(); ++i) {
    berth_column& column = out.columns[i];
    if (declared_[i] == 0 || column.data == nullptr) continue;
    const model::ColumnInfo& info = std::as_const(*cluster_).catalog().info(declared_[i]);
    if (info.table == model::Table::kPods || info.table == model::Table::kNodes) continue;
    const berth_column whole = column;
    out.gathered[i].begin(info.type, info.list);
    out.gathered[i].all(whole);
    column = out.gathered[i].view();
    column.generation = whole.generation;
    column.dictionary_size = whole.dictionary_size;
  }
}

void BoundHook::gather_nodes(model::ColumnId column, std::span<const model::PodRecord* const> pods,
                             std::span<const model::Row> rows, model::Gathered& out) const {
  const berth_column all = cluster_->view(column);
  if (std::find(rows.begin(), rows.end(), model::kNoRow) == rows.end())
    return out.positions(all, rows);
  const bool name = cluster_->catalog().info(column).attribute == model::Attribute::kNodeName;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != model::kNoRow) {
      out.positions(all, rows.subspan(i, 1));
    } else if (name) {
      out.value(cluster_->nodes().node(pods[i]->slot).name);
    } else {
      out.zero();
    }
  }
}

void BoundHook::take_columns(const TemplateHook& state, CallColumns& out) {
  out.columns.clear();
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const model::Column* column = state.sources[i].column;
    out.columns.push_back(column != nullptr ? column->view() : state.pod_columns[i]);
  }
}

void BoundHook::gather_placed(std::span<const model::PodRecord* const> pods,
                              CallColumns& out) const {
  out.columns.assign(declared_.size(), berth_column{});
  out.gathered.resize(std::max(out.gathered.size(), declared_.size()));
  for (size_t i = 0; i < declared_.size(); ++i) {
    if (declared_[i] == 0) continue;
    const model::ColumnInfo& info = std::as_const(*cluster_).catalog().info(declared_[i]);
    if (!info.any_thread()) continue;
    out.gathered[i].begin(info.type, info.list);
    model::gather_pods(info, *cluster_, pods, out.gathered[i]);
    out.columns[i] = out.gathered[i].view();
  }
}

berth_call BoundHook::call(const CallColumns& columns, uint64_t count, const TemplateHook* state,
                           uint32_t ran) {
  berth_call call{};
  call.size = sizeof call;
  call.ran = ran;
  call.count = count;
  call.columns = columns.columns.data();
  call.column_count = static_cast<uint32_t>(columns.columns.size());
  call.state = state != nullptr ? state->prepared.state() : nullptr;
  return call;
}

}  // namespace berth::framework
