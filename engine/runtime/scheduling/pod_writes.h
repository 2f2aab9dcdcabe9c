#pragma once

// PodWrites collects the writes of scheduling about pods: nominations, conditions and evictions.
//
// A nomination counts at once. The writes are collected here, and go to the server in their order
// when the attempt is over or a binding cycle ended (`finish`): others hear of them no earlier.
//
// One thread. Source: kube-scheduler schedule_one.go handleSchedulingFailure; preemption.go.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/rules/rules.h"
#include "engine/model/cluster/cluster.h"
#include "engine/runtime/report.h"
#include "engine/runtime/server.h"

namespace berth::runtime {

class PodWrites {
 public:
  // All of it outlives the writes, but for the rules. `server` may be null: then what is written is
  // lost.
  PodWrites(model::Cluster& cluster, Server* server, const OnReport& report, const Rules& rules)
      : cluster_(cluster),
        server_(server),
        report_(report),
        compares_listed_(rules.has(Rule::kListedPodCompared)) {}

  // The pod counts as nominated there from now on; 0: nowhere. Its next condition is written with
  // it.
  void nominate(model::PodId pod, model::StringId node);
  // Pods below the priority lose their nominations to the node to another pod, which is written and
  // reported.
  void take_lower_nominations(model::Slot slot, int32_t priority);
  // The binding cycle of a pod, which is assumed, begins: see Server::announce. Not written if the
  // pod's status names that node already.
  void announce(model::PodId pod);
  // The binding of a pod, which waits again, failed or was refused: its nomination ends, which is
  // reported, and its status is written. kube-scheduler clears the name in the status if the object
  // that was `decided` has one, and leaves a name that was written since; by the rule
  // ListedPodCompared, if the object has one that others know now, unless it has a node.
  void binding_failed(const model::PodRecord& decided, bool failed, std::string text);
  // The pod, whose status was `before`, is not scheduled: its condition PodScheduled and its
  // nomination. Not written if it says what it said before, of which a server tells nobody.
  void write_status(const model::PodRecord& before, bool failed, std::string text);
  // Precondition: there is a server.
  void evict(model::PodId victim);
  // The server bound the pod there though its answer was an error, which comes to light by the
  // pod's update. `before`: the pod as it was on that node.
  void lose_answer(const model::PodRecord& before);
  // An object of storage leaves at once.
  void put(const model::VolumeObject& object) {
    if (server_ != nullptr) server_->put(object);
  }

  bool empty() const { return writes_.empty(); }
  // Hands over what was written. The server may use the door meanwhile, which may write more: that
  // follows. `bound` is called for each lost answer, with its `before`. Pods that are gone are
  // passed over.
  template <typename Bound>
  void finish(Bound&& bound);

 private:
  struct Write {
    enum class Kind : uint8_t { kEvict, kLostAnswer, kAnnounce, kStatus } kind = Kind::kStatus;
    model::PodRecord before;  // of the pod
    bool failed = false;      // of a status, like `message`; see StatusPatch
    std::string message{};
  };
  // A pod's condition PodScheduled, as far as it is needed to tell whether a write changes it.
  struct Condition {
    uint32_t generation = 0;  // of the pod; 0: there is none
    bool failed = false;
    size_t text = 0;  // hash
    bool operator==(const Condition&) const = default;
  };

  model::Cluster& cluster_;
  Server* server_;
  const OnReport& report_;
  const bool compares_listed_;
  std::vector<Write> writes_;
  std::vector<Condition> conditions_;  // by index of the pod
};

template <typename Bound>
void PodWrites::finish(Bound&& bound) {
  while (!writes_.empty()) {
    std::vector<Write> writes;
    std::swap(writes, writes_);
    for (const Write& write : writes) {
      if (!cluster_.pods().contains(write.before.id)) continue;
      if (write.kind == Write::Kind::kLostAnswer) {
        bound(write.before);
      } else if (write.kind == Write::Kind::kEvict) {
        server_->evict(write.before.id);
      } else if (write.kind == Write::Kind::kAnnounce) {
        if (server_ != nullptr)
          server_->announce(write.before.id, cluster_.nodes().name(write.before.slot));
      } else if (server_ != nullptr) {
        server_->patch_status({write.before, write.failed, write.message});
      }
    }
    if (!writes_.empty()) continue;
    writes.clear();
    std::swap(writes_, writes);  // keeps the memory
    return;
  }
}

}  // namespace berth::runtime
