#pragma once

// Watches the server from its first moment, without faults, and checks each event:
// - A pod has one node, once: spec.nodeName does not change.
// - After a pod was put on a node, the pods there do not ask for more than the node has. Nodes of
//   another scheduler are left out; that one does not count. Nor do nodes on which a process of the
//   other seat put a pod shortly before: a leader begins with what its watches told, as
//   kube-scheduler does, and they may be behind.
// - Nobody but the holder of the lease, as the server has it, sends a write.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/kube/http/http.h"
#include "tests/apiserver/api/server.h"
#include "tests/apiserver/objects/json.h"
#include "tests/service_simulation/marks.h"
#include "tests/service_simulation/trace.h"

namespace berth::service_simulation {

// The taint of nodes that the other scheduler alone uses.
inline constexpr char kOthersTaint[] = "other";

class Observer {
 public:
  // All outlive this.
  Observer(apiserver::ApiServer& server, Trace& trace, Marks& marks);
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // A process sends a request.
  void sent(const std::string& process, const kube::Request& request);
  void expect_elections(bool expected) { elections_ = expected; }

  uint64_t bindings() const { return bindings_; }
  // Adds the nodes and their pods to the trace.
  void describe() const;

 private:
  struct Amounts {
    int64_t cpu = 0, memory = 0, pods = 0;  // milli, bytes
  };
  struct Pod {
    std::string name, node;
    std::string binder{};  // the process that put it there; empty: another scheduler did
    Time bound_at{};
    bool finished = false;
    Amounts requests{};
  };
  struct Node {
    Amounts allocatable{};
    bool of_others = false;
  };
  class Ear;

  void watch(apiserver::ApiServer& server, const std::string& path,
             void (Observer::*take)(bool gone, const apiserver::json::value& object));
  void take_pod(bool gone, const apiserver::json::value& object);
  void take_node(bool gone, const apiserver::json::value& object);
  void take_lease(bool gone, const apiserver::json::value& object);
  void check_room(const std::string& node, const Pod& newcomer);
  static Amounts amounts_of(const apiserver::json::value& list);

  Trace& trace_;
  Marks& marks_;
  std::map<std::string, Pod> pods_;  // by UID
  std::map<std::string, Node> nodes_;
  std::map<std::string, std::string> binders_;  // who asked last, by name of the pod
  std::string holder_;                          // of the lease
  bool elections_ = false;
  uint64_t bindings_ = 0;
};

}  // namespace berth::service_simulation
