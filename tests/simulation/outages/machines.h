#pragma once

// The nodes of a simulation of outages, each with what ails it, and their objects as the API server
// has them then.

#include <map>
#include <string>
#include <vector>

#include "engine/played/api_server.h"
#include "engine/runtime/core.h"
#include "tests/properties/dice.h"

namespace berth::simulation {

struct Machine {
  model::Node node;  // as it is when it is well
  bool present = true;
  bool stopped = false;   // its kubelet
  bool ready = true;      // what its kubelet says
  bool cordoned = false;  // by hand
  bool tainted = false;   // NoExecute
  bool drained = false;
  std::string drain;  // options
};

class Machines {
 public:
  // `keeps`: the objects have the taints that controllers gave the nodes, as those of an API server
  // do. Else they have their own alone, as manifests do.
  Machines(const std::vector<model::Node>& nodes, bool keeps);
  void attach(runtime::Core& core, played::ApiServer& api) {
    core_ = &core;
    api_ = &api;
  }

  std::vector<std::string> names() const;
  Machine& of(const std::string& name) { return machines_.at(name); }
  bool exists(const std::string& name) const {
    const auto at = machines_.find(name);
    return at != machines_.end() && at->second.present;
  }
  // Tells the API server of the node as it is now, if it is there.
  void tell(const std::string& name);
  void remove(const std::string& name);
  void add(const std::string& name);
  // All nodes are there, and well.
  void heal();

 private:
  model::Node object_of(const Machine& machine) const;
  std::vector<model::Taint> given_taints(const std::string& name) const;

  const bool keeps_;
  std::map<std::string, Machine> machines_;
  runtime::Core* core_ = nullptr;
  played::ApiServer* api_ = nullptr;
};

}  // namespace berth::simulation
