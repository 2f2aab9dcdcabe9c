#include "engine/queue/places/refused_pods.h"

#include "engine/base/assert.h"

namespace berth::queue {
namespace {

uint64_t hash_of(const Refusers& refusers, RefuserId gated_by) {
  uint64_t hash = gated_by;
  const auto add = [&](uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15u + value; };
  for (const RefuserId refuser : refusers.all()) add(refuser + (refusers.pending(refuser) << 16));
  return hash;
}

}  // namespace

RefusalId RefusedPods::refusal(const Refusers& refusers) { return intern(refusers, kNobody); }

RefusalId RefusedPods::gated(RefusalId refusal, RefuserId by) {
  const uint64_t question = uint64_t{refusal} << 16 | by;
  if (const auto known = gated_.find(question); known != gated_.end()) return known->second;
  Refusers refusers = refusals_[refusal].refusers;
  if (by != kNobody) refusers.add(by);
  const RefusalId id = intern(refusers, by);
  gated_.emplace(question, id);
  return id;
}

RefusalId RefusedPods::intern(const Refusers& refusers, RefuserId gated_by) {
  if (refusers.empty()) return 0;
  const uint64_t hash = hash_of(refusers, gated_by);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Refusal& known = refusals_[at->second];
    if (known.gated_by == gated_by && known.refusers == refusers) return at->second;
  }
  const auto id = static_cast<RefusalId>(refusals_.size());
  refusals_.push_back({refusers, gated_by, {}});
  by_hash_.emplace(hash, id);
  for (const RefuserId refuser : refusers.all()) {
    if (refuser >= by_refuser_.size()) by_refuser_.resize(refuser + 1u);
    by_refuser_[refuser].push_back(id);
  }
  return id;
}

std::span<const RefusalId> RefusedPods::of(RefuserId refuser) const {
  if (refuser >= by_refuser_.size()) return {};
  return by_refuser_[refuser];
}

ClassId RefusedPods::class_of(RefusalId refusal, uint32_t group) {
  if (group >= first_of_group_.size()) first_of_group_.resize(group + 1u, kNoIndex);
  for (ClassId id = first_of_group_[group]; id != kNoIndex; id = classes_[id].next_of_group)
    if (classes_[id].refusal == refusal) return id;
  if (free_.empty()) {
    free_.push_back(static_cast<ClassId>(classes_.size()));
    classes_.emplace_back();
  }
  const ClassId id = free_.back();
  free_.pop_back();
  Class& made = classes_[id];
  made.refusal = refusal;
  made.group = group;
  made.position = static_cast<uint32_t>(refusals_[refusal].classes.size());
  made.next_of_group = first_of_group_[group];
  first_of_group_[group] = id;
  refusals_[refusal].classes.push_back(id);
  return id;
}

void RefusedPods::drop(ClassId id) {
  Class& gone = classes_[id];
  std::vector<ClassId>& peers = refusals_[gone.refusal].classes;
  classes_[peers.back()].position = gone.position;
  peers[gone.position] = peers.back();
  peers.pop_back();
  ClassId* link = &first_of_group_[gone.group];
  while (*link != id) link = &classes_[*link].next_of_group;
  *link = gone.next_of_group;
  gone = Class{};
  free_.push_back(id);
}

void RefusedPods::insert(QueuedPods& pods, uint32_t index, uint32_t group) {
  QueuedPod& pod = pods[index];
  BERTH_ASSERT(pod.refusal != 0);
  pod.slot = class_of(pod.refusal, group);
  Class& joined = classes_[pod.slot];
  pod.next = kNoIndex;
  pod.previous = joined.tail;
  (joined.tail == kNoIndex ? joined.head : pods[joined.tail].next) = index;
  joined.tail = index;
}

void RefusedPods::erase(QueuedPods& pods, uint32_t index) {
  QueuedPod& pod = pods[index];
  BERTH_ASSERT(pod.slot < classes_.size() && classes_[pod.slot].refusal == pod.refusal);
  Class& left = classes_[pod.slot];
  (pod.previous == kNoIndex ? left.head : pods[pod.previous].next) = pod.next;
  (pod.next == kNoIndex ? left.tail : pods[pod.next].previous) = pod.previous;
  if (left.head == kNoIndex) drop(pod.slot);
  pod.slot = pod.next = pod.previous = kNoIndex;
}

}  // namespace berth::queue
