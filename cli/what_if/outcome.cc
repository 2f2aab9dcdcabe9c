#include "cli/what_if/outcome.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace berth::cli {
namespace {

using EndKind = PodState::Kind;

struct FateText {
  std::string_view name, text;
};
constexpr std::array<FateText, 8> kFates = {{
    {"moved", "run in another place"},
    {"started", "run that did not run before"},
    {"pending", "ran, and wait for a node now"},
    {"gone", "ran, and are gone"},
    {"scaled_down", "are gone, as a step asks"},
    {"node_gone", "of DaemonSets are gone with their nodes"},
    {"finished", "ended by themselves"},
    {"waits", "are new and wait for a node"},
}};

// The pods of one controller, or one pod without any.
class OwnedPods {
 public:
  OwnedPods(const RunOfScript& run, const std::map<std::string, const PodLoss*>& losses,
            std::vector<PodChange>& changes)
      : run_(run), losses_(losses), changes_(changes) {}

  void add_before(const PodState& pod) { before_.push_back(&pod); }
  void add_after(const PodState& pod) {
    (pod.kind == EndKind::kRuns ? after_ : pending_).push_back(&pod);
  }
  void add_pending_before(const std::string& name) { pending_before_.insert(name); }

  void compare() {
    take_same_names();
    take_exempt();
    std::ranges::stable_sort(before_, {}, [&](const PodState* pod) { return left_at(*pod); });
    std::ranges::stable_sort(after_, {}, [](const PodState* pod) { return pod->bound; });
    const size_t both = std::min(before_.size(), after_.size());
    for (size_t i = 0; i < both; ++i) add(Fate::kMoved, before_[i], after_[i]);
    for (size_t i = both; i < after_.size(); ++i) add(Fate::kStarted, nullptr, after_[i]);
    before_.erase(before_.begin(), before_.begin() + static_cast<ptrdiff_t>(both));
    take_scaled();
    take_pending();
  }

 private:
  const PodLoss* loss(const PodState& pod) const {
    const auto at = losses_.find(pod.name);
    return at == losses_.end() ? nullptr : at->second;
  }

  Time left_at(const PodState& pod) const {
    const PodLoss* of = loss(pod);
    return of == nullptr ? Time::max() : of->at;
  }

  // Those that run under their names in both runs.
  void take_same_names() {
    running_ = before_.size();
    std::map<std::string_view, const PodState*> after;
    for (const PodState* pod : after_) after.emplace(pod->name, pod);
    std::set<const PodState*> taken;
    std::erase_if(before_, [&](const PodState* pod) {
      const auto at = after.find(pod->name);
      if (at == after.end()) return false;
      taken.insert(at->second);
      if (at->second->node != pod->node || loss(*pod) != nullptr)
        add(Fate::kMoved, pod, at->second);
      return true;
    });
    std::erase_if(after_, [&](const PodState* pod) { return taken.contains(pod); });
  }

  // Those in whose place nothing has to run.
  void take_exempt() {
    std::erase_if(before_, [&](const PodState* pod) {
      const bool finished = run_.finished.contains(pod->name);
      const bool removed = pod->owner.empty() && run_.removed.contains(pod->name);
      const bool without_node =
          pod->owner.starts_with("DaemonSet ") && !run_.nodes.contains(pod->node);
      if (!finished && !removed && !without_node) return false;
      add(finished ? Fate::kFinished : removed ? Fate::kScaledDown : Fate::kNodeGone, pod, nullptr);
      return true;
    });
  }

  // As many as a step asks to be gone.
  void take_scaled() {
    if (before_.empty()) return;
    const auto wanted = run_.replicas.find(before_.front()->owner);
    if (wanted == run_.replicas.end() || wanted->second >= running_) return;
    const size_t count = std::min<size_t>(before_.size(), running_ - wanted->second);
    for (size_t i = 0; i < count; ++i) add(Fate::kScaledDown, before_[i], nullptr);
    before_.erase(before_.begin(), before_.begin() + static_cast<ptrdiff_t>(count));
  }

  // Pods that wait stand for those that are gone: of the same name first.
  void take_pending() {
    std::erase_if(pending_, [&](const PodState* pod) {
      const auto same = std::ranges::find(before_, pod->name, &PodState::name);
      if (same == before_.end()) return pending_before_.contains(pod->name);
      add(Fate::kPending, *same, pod);
      before_.erase(same);
      return true;
    });
    for (size_t i = 0; i < std::max(before_.size(), pending_.size()); ++i) {
      if (i >= before_.size())
        add(Fate::kWaits, nullptr, pending_[i]);
      else if (i >= pending_.size())
        add(Fate::kGone, before_[i], nullptr);
      else
        add(Fate::kPending, before_[i], pending_[i]);
    }
  }

  // At least one is not null.
  void add(Fate fate, const PodState* from, const PodState* to) {
    PodChange& change = changes_.emplace_back();
    change.fate = fate;
    change.pod = from != nullptr ? from->name : to->name;
    change.owner = from != nullptr ? from->owner : to->owner;
    if (from != nullptr) {
      change.from_node = from->node;
      change.from_zone = from->zone;
      if (const PodLoss* of = loss(*from)) {
        change.reason = of->reason;
        change.because = of->because;
        change.at = of->at;
      }
    }
    if (to == nullptr) return;
    if (to->name != change.pod) change.other = to->name;
    change.to_node = to->node;
    change.to_zone = to->zone;
    change.message = to->message;
    change.bound = to->bound;
  }

  const RunOfScript& run_;
  const std::map<std::string, const PodLoss*>& losses_;
  std::vector<PodChange>& changes_;
  std::vector<const PodState*> before_, after_, pending_;  // of those that run, run, and wait
  std::set<std::string> pending_before_;
  size_t running_ = 0;  // before
};

}  // namespace

std::string_view fate_name(Fate fate) { return kFates[static_cast<size_t>(fate)].name; }
std::string_view fate_text(Fate fate) { return kFates[static_cast<size_t>(fate)].text; }

std::vector<PodChange> compare_pods(const PerSide<std::vector<PodState>>& pods,
                                    const RunOfScript& run) {
  std::vector<PodChange> changes;
  std::map<std::string, const PodLoss*> losses;  // the first of each name
  for (const PodLoss& one : run.losses) losses.emplace(one.name, &one);
  std::map<std::string, OwnedPods> groups;
  const auto group = [&](const PodState& pod) -> OwnedPods& {
    const std::string key = pod.owner.empty() ? "Pod " + pod.name : pod.owner;
    return groups.try_emplace(key, run, losses, changes).first->second;
  };
  for (const PodState& pod : pods[0]) {
    if (pod.kind == EndKind::kRuns) group(pod).add_before(pod);
    if (pod.kind == EndKind::kPending) group(pod).add_pending_before(pod.name);
  }
  for (const PodState& pod : pods[1])
    if (pod.kind != EndKind::kLeaves) group(pod).add_after(pod);
  for (auto& [key, owned] : groups) owned.compare();
  std::ranges::stable_sort(changes, {}, &PodChange::pod);
  return changes;
}

std::map<std::string, uint64_t> pending_by_reason(const std::vector<PodState>& pods) {
  std::map<std::string, uint64_t> reasons;
  for (const PodState& pod : pods)
    if (pod.kind == EndKind::kPending) ++reasons[pod.message.empty() ? "not tried" : pod.message];
  return reasons;
}

uint64_t count_of(const std::vector<PodState>& pods, PodState::Kind kind) {
  return static_cast<uint64_t>(std::ranges::count(pods, kind, &PodState::kind));
}

uint64_t WhatIf::count(Fate fate) const {
  return static_cast<uint64_t>(std::ranges::count(changes, fate, &PodChange::fate));
}

uint64_t WhatIf::lost() const {
  uint64_t sum = lost_otherwise;
  for (const StepOutcome& step : steps)
    for (const auto& [reason, pods] : step.lost) sum += pods;
  return sum;
}

uint64_t WhatIf::drains_undone() const {
  return static_cast<uint64_t>(std::ranges::count_if(drains, &output::DrainResult::undone));
}

std::optional<Time> WhatIf::last_bound() const {
  std::optional<Time> last;
  for (const PodChange& change : changes)
    if (!change.to_node.empty() && change.bound) last = std::max(last, change.bound);
  return last;
}

}  // namespace berth::cli
