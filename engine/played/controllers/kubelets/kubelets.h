#pragma once

// The kubelets of a run: they refuse pods that their nodes cannot take, and evict pods of nodes
// that are short of memory, disk, inodes or processes. Their rules are those of
// engine/controllers/kubelet.
//
// A kubelet looks for shortages where something is measured of its node, or of a pod that is bound
// there (NodeMetrics, PodMetrics), unless the node is silent. All other nodes cost
// nothing. What is measured counts until the next measure of that name, of a pod until the pod
// ends.
//
// Conditions of a node reach the API server when its kubelet writes its status, 2 s, 12 s, 22 s ...
// after the beginning of the run, or as nodeStatusUpdateFrequency says.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/model/objects/controller_objects.h"
#include "engine/played/controllers/controller.h"
#include "engine/played/controllers/kubelets/kubelet_settings.h"
#include "engine/played/controllers/kubelets/node_kubelet.h"
#include "engine/played/controllers/kubelets/pod_starts.h"
#include "engine/played/controllers/nodes/stopped_kubelets.h"
#include "engine/played/deletions.h"
#include "engine/played/held_pods.h"

namespace berth::played {

class ContainerRuns;
class NodeLifecycles;

class Kubelets final : public Controller {
 public:
  // All of them outlive it. `lifecycles`: null: nobody hears of conditions.
  Kubelets(runtime::Core& core, const StoppedKubelets& stopped, ContainerRuns& runs,
           NodeLifecycles* lifecycles)
      : Controller(core),
        stopped_(stopped),
        runs_(runs),
        lifecycles_(lifecycles),
        starts_(core.cluster(), core.configuration().rules) {}

  std::optional<Time> next() const override;
  bool unfinished() const override;
  void run_due() override;
  void object_changed(model::Operation operation, const model::Object& object) override;
  void pod_changed(model::PodId pod) override;
  void pod_ends(model::PodId pod) override;
  bool removes_pods() const override {
    return leaving_.size() != 0 || !refused_.empty() || !starting_.empty();
  }

  // NAMESPACE/NAME of pods of which something was measured, and which never were there.
  std::vector<std::string> measured_without_pod() const;
  // The pod came with its node, and does not run yet: its kubelet decides now whether it starts.
  void pod_starts(model::PodId pod) {
    wake();
    starting_.push_back(pod);
  }

 private:
  using Data = std::shared_ptr<const model::ControllerObjectData>;
  // A node whose kubelet runs.
  struct Running {
    std::unique_ptr<NodeKubelet> kubelet;
    NodeSize size;
    Data configuration;                                // null: the defaults
    std::vector<controllers::kubelet::Pressure> told;  // to the API server
    std::optional<Time> tells;                         // when it writes its status, if they differ
    std::optional<Time> due;                           // as in due_
  };
  using Nodes = std::map<std::string, Running, std::less<>>;
  struct Refused {
    model::PodId pod;
    controllers::kubelet::Refusal why;
  };

  void take(model::Operation operation, const model::ControllerObject& object);
  void take_configuration(const std::string& name, const Data& data);
  void check_configuration(const std::string& name,
                           const model::KubeletConfiguration& configuration);
  void take_pod_metrics(const std::string& pod, const Data& data);
  void take_node_metrics(const std::string& node, const Data& data);
  void node_gone(const std::string& node);

  const model::PodMetrics* metrics_of(const model::PodRecord& pod) const;
  Data configuration_for(const std::string& node) const;
  bool may_run(const std::string& node) const;
  // The kubelet of the node, which is started if it does not run. Null: none can.
  Running* run(const std::string& node);
  void start(const std::string& node, Running& running);
  void stop(const std::string& node);
  void refresh(const std::string& node);
  void add(model::PodId pod, const std::string& node, Running& running);

  void act(const std::string& node, Running& running, const KubeletEviction& eviction);
  void act(const std::string& node, Running& running, const KubeletWarning& warning);
  void act(const std::string& node, Running& running, const KubeletOomKill& kill);
  void act(const std::string& node, Running& running, const KubeletPressures&);
  void tell_pressures(const std::string& node, Running& running);
  // Its containers stop, and it has failed then. False: they do already.
  bool leave(model::PodId pod, Time at);
  void end(model::PodId pod);
  void start_pods();
  void start_pod(model::PodId pod, const std::vector<model::PodId>& later);
  void refuse_pods();
  void reschedule(const std::string& node, Running& running);

  const StoppedKubelets& stopped_;
  ContainerRuns& runs_;
  NodeLifecycles* const lifecycles_;
  std::unordered_map<std::string, NodeSize> sizes_;  // of all nodes
  std::map<std::string, Data, std::less<>> configurations_, pod_metrics_, node_metrics_;
  std::set<std::string, std::less<>> ended_;  // pods of which something had been measured
  Nodes nodes_;
  std::map<uint64_t, std::string> where_;  // pods that a kubelet looks after, by handle
  std::set<std::pair<Time, std::string>> due_;
  Deletions leaving_;             // pods whose containers are being stopped
  HeldPods held_;                 // theirs have stopped on silent nodes
  std::vector<Refused> refused_;  // that go now
  std::vector<model::PodId> starting_;
  PodStarts starts_;
};

}  // namespace berth::played
