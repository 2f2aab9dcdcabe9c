#pragma once

// The API server of a simulation: what is true of the cluster, and the watch that tells the core of
// it, late and twice where the rates say so. Events of one object stay in order. Answers to
// bindings come late, in any order, twice and never; one that never comes is of a pod that was
// bound.
//
// The core carries out its own evictions and nominations; the simulation tells the server of them
// (`evicted`, `nominated`), which sends the object as it is then.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/binding/binding_sink.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"
#include "tests/simulation/world/draws.h"
#include "tests/simulation/world/marks.h"

namespace berth::simulation {

class Server final : public binding::BindingSink {
 public:
  struct Pod {
    model::Pod object;  // spec.node_name: where it is bound
    std::optional<Time> leaves;
  };

  // The spec of a pod that counts on a node without being bound there changed. kube-scheduler
  // v1.34.1 tells nobody of that: updatePodInSchedulingQueue (eventhandlers.go) returns if the pod
  // is assumed, and SchedulingQueue.Update of a nominated pod looks at no other pods. When the pod
  // is bound, the update is part of an added assigned pod (addPodToCache), and hints of pods that
  // wait for room do not look at that event. So an assumed pod changes in silence when it is bound.
  struct SilentChange {
    std::string pod;
    uint64_t after = 0;  // decisions that came before
  };

  // `answers` are dice for late answers alone.
  Server(Dice& dice, Dice& answers, const Rates& rates, Marks& marks)
      : dice_(dice), answers_(answers), rates_(rates), marks_(marks) {}
  void attach(runtime::Core& core, played::ApiServer& api) {
    core_ = &core;
    api_ = &api;
  }

  // Changes of the truth; each sends an event.
  void put_node(const model::Node& node);
  void remove_node(const std::string& name);
  void put_pod(const model::Pod& pod);
  void remove_pod(const std::string& name, bool finished);
  // The deletion of a pod is never told, and another takes its name.
  void replace_pod(const model::Pod& pod);
  // Another scheduler binds the pod.
  void bind_elsewhere(const std::string& name, const std::string& node);
  void put_namespace(const model::Namespace& object);
  void put_selector_owner(const model::SelectorOwner& object);
  void put_budget(const model::DisruptionBudget& object);
  void remove_budget(const model::DisruptionBudget& object);  // of that name
  // What the core did as an API server.
  void terminates(const std::string& name, Time leaves, bool preempted);
  void nominated(const std::string& name, const std::string& node);
  // The core reports that it bound the pod.
  void bound(const std::string& name);
  // Pods whose time to leave has come are gone.
  void pass(Time now);
  // True if a pod is to leave later.
  bool pods_leave() const;

  // Delivers events and answers to the core: some, or all. Nothing is late or twice after `heal`.
  // False: there was none.
  void deliver_some();
  bool deliver_all();
  void heal();

  // An extender binds the pod whose binding it was asked for, and its answer comes too late. `now`:
  // the pod is bound at once; otherwise later, unless it is bound or gone by then.
  void bind_unanswered(const model::PodRecord& pod, const std::string& node, bool now);

  binding::BindAnswer bind(const binding::Binding& one) override;

  // The pod of that name in the core; none: there is no such pod, or the core does not know it.
  model::PodId known(const std::string& name) const;
  const std::map<std::string, model::Node>& nodes() const { return nodes_; }
  const std::map<std::string, Pod>& pods() const { return pods_; }
  const std::map<std::string, model::Namespace>& namespaces() const { return namespaces_; }
  const std::map<std::string, model::SelectorOwner>& owners() const { return owners_; }
  bool has_budgets(const std::string& namespace_name) const;
  const std::vector<SilentChange>& silent_changes() const { return silent_changes_; }

 private:
  struct Sent {
    std::string object;
    model::Change change;
  };

  void send(std::string object, model::Change change);
  void send_pod(const std::string& name);
  void deliver(size_t position);
  void note_silent(const model::Change& change);
  void bind_late();
  binding::BindAnswer carry_out(const binding::Binding& one);
  void answer_some();
  bool answer_all();

  Dice& dice_;
  Dice& answers_;
  const Rates& rates_;
  Marks& marks_;
  runtime::Core* core_ = nullptr;
  played::ApiServer* api_ = nullptr;
  std::map<std::string, model::Node> nodes_;
  std::map<std::string, Pod> pods_;  // by name, which is unique over namespaces
  std::map<std::string, model::Namespace> namespaces_;
  std::map<std::string, model::SelectorOwner> owners_;
  std::map<std::string, model::DisruptionBudget> budgets_;
  std::deque<Sent> sent_;  // and not delivered
  struct Binding {
    std::string pod, uid, node;
  };
  std::vector<Binding> late_;  // that extenders carry out later
  std::vector<runtime::BindingAnswer> unanswered_;
  std::vector<SilentChange> silent_changes_;
  // What the core was told last of the pods that it knows, by uid.
  std::map<std::string, std::shared_ptr<const model::PodSpec>> told_;
  bool healed_ = false;
};

}  // namespace berth::simulation
