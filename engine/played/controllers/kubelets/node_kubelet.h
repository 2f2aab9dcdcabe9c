#pragma once

// The kubelet of one node: what its machine measures, and what it does about it. It changes nothing
// of the cluster: what it does is told, in order.
//
// Rounds are at 10 s, 20 s ... of the run. What a look at the node (NodeMetrics) and the looks at
// its pods differ by is what runs beside pods, from the next round on. A look may also be at the
// latter alone.
//
// Containers of an evicted pod use its whole grace period.
//
// Where more memory is used than the machine has, the kernel kills containers at once, as it
// chooses by their oom_score_adj and their use. They start again and use nothing until the next
// measure.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/time.h"
#include "engine/controllers/kubelet/eviction/eviction_manager.h"
#include "engine/model/objects/kubelet_objects.h"
#include "engine/model/pods/pod_id.h"

namespace berth::played {

// The pod goes: its containers stop, and then its phase is Failed.
struct KubeletEviction {
  model::PodId pod;
  Time leaves{};  // when they have stopped
  controllers::kubelet::Eviction why;
};
// A warning about the node.
struct KubeletWarning {
  std::string message;
};
// The kernel kills a container, which starts again.
struct KubeletOomKill {
  model::PodId pod;
  std::string container;
};
// Other conditions of the node are True than before.
struct KubeletPressures {};

using KubeletAct = std::variant<KubeletEviction, KubeletWarning, KubeletOomKill, KubeletPressures>;

// One thread.
class NodeKubelet final : private controllers::kubelet::EvictionActions {
 public:
  NodeKubelet(const controllers::kubelet::EvictionSettings& settings,
              const controllers::kubelet::MachineSize& size, Time now);
  NodeKubelet(const NodeKubelet&) = delete;
  NodeKubelet& operator=(const NodeKubelet&) = delete;

  // The pod runs on the node. Precondition: it did not.
  void add(model::PodId pod, controllers::kubelet::Pod facts, const model::PodMetrics* metrics,
           Time now);
  bool has(model::PodId pod) const { return pods_.contains(pod.handle()); }
  // Null: nothing is measured of it any more. Precondition: has(pod).
  void measure(model::PodId pod, const model::PodMetrics* metrics, Time now);
  void remove(model::PodId pod, Time now);
  void measure_node(const model::NodeMetrics& metrics, Time now);

  const std::vector<controllers::kubelet::Pressure>& pressures() const {
    return manager_.pressures();
  }
  std::optional<controllers::kubelet::Refusal> refusal_of(
      const controllers::kubelet::Pod& pod) const {
    return manager_.refusal_of(pod);
  }

  std::optional<Time> next() const {
    return out_of_memory_since_ ? out_of_memory_since_ : manager_.next();
  }
  // True if rounds may still bring something without further measures.
  bool unfinished() const { return next() && *next() <= quiet_from_; }
  // Does all that is due.
  std::vector<KubeletAct> run_due(Time now);

 private:
  struct Known {
    controllers::kubelet::PodNumber number = 0;
    std::optional<model::PodMetrics> metrics{};
    model::MeasuredUsage usage{};  // the sum of them
  };
  // A container that uses memory.
  struct Victim {
    uint64_t pod = 0;  // handle
    size_t container = 0;
    int64_t badness = 0;
  };

  void set_pressures(Time now, const std::vector<controllers::kubelet::Pressure>&) override;
  void warn_of_node(Time, const std::string& message) override;
  void reclaimed(Time, controllers::kubelet::Reclaim) override {}
  void evict(Time now, const controllers::kubelet::Eviction& eviction) override;

  void changed(Time now);
  void count_system();
  void set_system(const model::MeasuredUsage& usage);
  void set_metrics(Known& known, const model::PodMetrics* metrics);
  int64_t used_memory() const;
  void kill_for_memory();
  std::optional<Victim> worst() const;
  int64_t badness_of(const Known& known, const model::ContainerMetrics& container) const;

  const int64_t memory_;  // of the machine, bytes; 0: not known
  controllers::kubelet::Machine machine_;
  controllers::kubelet::EvictionManager manager_;
  std::map<uint64_t, Known> pods_;  // by handle
  std::map<controllers::kubelet::PodNumber, model::PodId> ids_;
  std::optional<model::MeasuredUsage> measured_;  // of the node, since the last round
  std::optional<Time> out_of_memory_since_;       // until the kernel acts
  Time longest_{};     // after a change, so much later the last consequence of it may come
  Time quiet_from_{};  // no consequence comes later
  std::vector<KubeletAct> acts_;
};

}  // namespace berth::played
