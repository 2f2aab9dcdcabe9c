#pragma once

// Checks of phase two: what the core knows against what is true, and the pods that wait against the
// places that there are.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/properties/brute_force/brute_force.h"
#include "tests/simulation/world/server.h"

namespace berth::simulation {

// Why a pod waits that has a place.
struct Refusal {
  std::string words;
  bool has_no_event = false;  // kube-scheduler leaves such a pod to the flush, too
};

class Inspection {
 public:
  Inspection(const Rates& rates, const Server& server) : rates_(rates), server_(server) {}
  void attach(runtime::Core& core) { core_ = &core; }

  // A decision about the pod was made.
  void decided(const std::string& pod);

  // The core knows the pods that there are, where they are; otherwise what is wrong.
  std::string difference() const;

  // Pods of no group that wait and have a place, by name.
  std::map<std::string, Refusal> placeable() const;
  // Groups that wait and have places whatever comes first, in words.
  std::vector<std::string> waiting_groups() const;
  // Pods that wait.
  size_t waiting() const { return look().waiting.size(); }

 private:
  // The cluster as the scheduler has to see it.
  struct View {
    tests::brute::Objects objects;
    std::vector<const model::Pod*> waiting;      // not bound, and not held by gates of their own
    tests::brute::Objects without_held() const;  // without pods that Permit holds
  };
  View look() const;
  Refusal refusal_of(const model::Pod& pod, const std::string& node, bool by_preemption) const;
  bool changed_in_silence(const model::Pod& pod, const std::string& node, bool any_node) const;
  bool nomination_ended(const model::Pod& pod) const;
  std::set<std::pair<std::string, std::string>> nominations() const;
  std::string node_of(model::PodId pod) const;  // where it counts; empty: nowhere

  const Rates& rates_;
  const Server& server_;
  runtime::Core* core_ = nullptr;
  struct Decided {
    uint64_t number = 0;                                      // of the decision
    std::set<std::pair<std::string, std::string>> nominated;  // pod and node
  };
  std::map<std::string, Decided> decided_;  // the last decision, by pod
};

}  // namespace berth::simulation
