#include "engine/model/nominations/nominated_columns.h"

#include <utility>

#include "engine/base/assert.h"

namespace berth::model {

void NominatedColumns::add(const Position& position) {
  if (!used_) return;
  const auto [at, fresh] = places_.try_emplace(position.of.pod.pod.handle(), positions_.size());
  BERTH_ASSERT(fresh);
  positions_.push_back(position);
  resize(positions_.size());
  write(at->second);
}

void NominatedColumns::replace(const Nomination& by) {
  if (!used_) return;
  const size_t at = places_.at(by.pod.pod.handle());
  positions_[at].of = by;
  write(at);
}

void NominatedColumns::remove(PodId pod) {
  if (!used_) return;
  const auto place = places_.find(pod.handle());
  BERTH_ASSERT(place != places_.end());
  const size_t at = place->second;
  places_.erase(place);
  if (at + 1 != positions_.size()) {
    positions_[at] = positions_.back();
    places_.at(positions_[at].of.pod.pod.handle()) = at;
    write(at);
  }
  positions_.pop_back();
  resize(positions_.size());
}

const Column& NominatedColumns::column(ColumnId id, const ColumnInfo& info) {
  BERTH_ASSERT(used_);
  std::unique_ptr<Stored>& stored = columns_[id];
  if (stored == nullptr) {
    stored = std::make_unique<Stored>(Stored{info, Column(arena_, info.type, info.list)});
    stored->column.resize(positions_.size());
    for (size_t at = 0; at < positions_.size(); ++at) write(*stored, at);
  }
  return stored->column;
}

void NominatedColumns::resize(size_t count) {
  for (auto& [id, stored] : columns_) stored->column.resize(count);
}

void NominatedColumns::write(size_t at) {
  for (auto& [id, stored] : columns_) write(*stored, at);
}

// The bits of the value.
uint64_t NominatedColumns::value(const ColumnInfo& info, const Position& position) const {
  const PodOnNode& pod = position.of.pod;
  switch (info.attribute) {
    case Attribute::kNominatedPod:
      return pod.pod.handle();
    case Attribute::kNominatedNode:
      return position.node;
    case Attribute::kNominatedNamespace:
      return position.namespace_name;
    case Attribute::kNominatedPriority:
      return static_cast<uint64_t>(int64_t{position.of.priority});
    default:
      BERTH_ASSERT(info.attribute == Attribute::kNominatedRequests);
      return static_cast<uint64_t>(amount_of(templates_[pod.pod_template].accounted, info.key));
  }
}

void NominatedColumns::write(Stored& stored, size_t at) const {
  const uint64_t bits = value(stored.info, positions_[at]);
  if (stored.info.type == BERTH_U32) {
    stored.column.values<uint32_t>()[at] = static_cast<uint32_t>(bits);
  } else {
    stored.column.values<uint64_t>()[at] = bits;
  }
  stored.column.touch(at);
}

std::string NominatedColumns::fault() const {
  for (const auto& [id, stored] : columns_) {
    bool equal = stored->column.count() == positions_.size();
    for (size_t at = 0; equal && at < positions_.size(); ++at) {
      const Column& column = stored->column;
      const uint64_t held = stored->info.type == BERTH_U32 ? column.values<uint32_t>()[at]
                                                           : column.values<uint64_t>()[at];
      equal = held == value(stored->info, positions_[at]);
    }
    if (!equal) return "column " + stored->info.id + " differs from what is nominated";
  }
  return {};
}

}  // namespace berth::model
