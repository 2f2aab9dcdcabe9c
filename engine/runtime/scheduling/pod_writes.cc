#include "engine/runtime/scheduling/pod_writes.h"

#include <functional>
#include <utility>

#include "engine/base/assert.h"

namespace berth::runtime {

void PodWrites::nominate(model::PodId pod, model::StringId node) {
  cluster_.withdraw_nomination(pod);
  cluster_.set_nominated_node(pod, node);
  cluster_.nominate(pod);
}

void PodWrites::take_lower_nominations(model::Slot slot, int32_t priority) {
  std::vector<model::PodId> lower;
  for (const model::Nomination& nomination : cluster_.nodes().nominations().at(slot))
    if (nomination.priority < priority && !cluster_.pod(nomination.pod.pod).nominated_empty)
      lower.push_back(nomination.pod.pod);
  for (const model::PodId pod : lower) {
    writes_.push_back({.before = cluster_.pod(pod)});
    nominate(pod, 0);
    report_(Nominated{pod, {}});
  }
}

void PodWrites::announce(model::PodId pod) {
  const model::PodRecord& assumed = cluster_.pod(pod);
  const model::StringId node = cluster_.nodes().node(assumed.slot).name;
  if (assumed.nominated_node == node) return;
  report_(Announced{pod, cluster_.text(node)});
  writes_.push_back({.kind = Write::Kind::kAnnounce, .before = assumed});
}

// A node that was announced in the same attempt is not known yet, and is not cleared; but if
// another name is cleared, that write is the later one.
void PodWrites::binding_failed(const model::PodRecord& decided, bool failed, std::string text) {
  const model::PodRecord known = cluster_.pod(decided.id);
  cluster_.withdraw_nomination(decided.id);
  const model::PodRecord& compared = compares_listed_ && !known.placed() ? known : decided;
  if (compared.nominated_node != 0) {
    std::erase_if(writes_, [&](const Write& write) {
      return write.kind == Write::Kind::kAnnounce && write.before.id == decided.id;
    });
    nominate(decided.id, 0);
    report_(Nominated{decided.id, {}});
  }
  write_status(known, failed, std::move(text));
}

void PodWrites::write_status(const model::PodRecord& before, bool failed, std::string text) {
  const uint32_t index = before.id.index;
  if (index >= conditions_.size()) conditions_.resize(index + size_t{1});
  const Condition condition{before.id.generation, failed, std::hash<std::string>{}(text)};
  const bool same = conditions_[index] == condition &&
                    cluster_.pod(before.id).nominated_node == before.nominated_node;
  conditions_[index] = condition;
  if (!same) writes_.push_back({.before = before, .failed = failed, .message = std::move(text)});
}

void PodWrites::evict(model::PodId victim) {
  BERTH_ASSERT(server_ != nullptr);
  writes_.push_back({.kind = Write::Kind::kEvict, .before = cluster_.pod(victim)});
}

void PodWrites::lose_answer(const model::PodRecord& before) {
  writes_.push_back({.kind = Write::Kind::kLostAnswer, .before = before});
}

}  // namespace berth::runtime
