#pragma once

// The API server of a simulation: what is true of the cluster, and the watch that tells the core of
// it, late and twice where the rates say so. Events of one object stay in order.
//
// The core carries out its own evictions and nominations; the simulation tells the server of them
// (`evicted`, `nominated`), which sends the object as it is then.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/binding/binding_sink.h"
#include "engine/runtime/core.h"
#include "tests/simulation/draws.h"

namespace berth::simulation {

class Server final : public binding::BindingSink {
 public:
  struct Pod {
    model::Pod object;  // spec.node_name: where it is bound
    std::optional<runtime::Time> leaves;
  };

  Server(Dice& dice, const Rates& rates) : dice_(dice), rates_(rates) {}
  void attach(runtime::Core& core) { core_ = &core; }

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
  // What the core did as an API server.
  void terminates(const std::string& name, runtime::Time leaves, bool preempted);
  void nominated(const std::string& name, const std::string& node);
  // Pods whose time to leave has come are gone.
  void pass(runtime::Time now);

  // Delivers events to the core: some, or all. Nothing is late or twice after `heal`. False: there
  // was none.
  void deliver_some();
  bool deliver_all();
  void heal() { healed_ = true; }

  binding::BindAnswer bind(std::string_view namespace_name, std::string_view name,
                           std::string_view node) override;

  const std::map<std::string, model::Node>& nodes() const { return nodes_; }
  const std::map<std::string, Pod>& pods() const { return pods_; }
  const std::map<std::string, model::Namespace>& namespaces() const { return namespaces_; }
  const std::map<std::string, model::SelectorOwner>& owners() const { return owners_; }

 private:
  struct Sent {
    std::string object;
    model::Event event;
  };

  void send(std::string object, model::Event event);
  void send_pod(const std::string& name);
  void deliver(size_t position);

  Dice& dice_;
  const Rates& rates_;
  runtime::Core* core_ = nullptr;
  std::map<std::string, model::Node> nodes_;
  std::map<std::string, Pod> pods_;  // by name, which is unique over namespaces
  std::map<std::string, model::Namespace> namespaces_;
  std::map<std::string, model::SelectorOwner> owners_;
  std::deque<Sent> sent_;  // and not delivered
  bool healed_ = false;
};

}  // namespace berth::simulation
