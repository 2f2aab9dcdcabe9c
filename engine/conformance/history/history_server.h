#pragma once

// Histories use a played::ApiServer through this class. It adds finalizers, the fields that an
// update of a pod leaves alone, and bindings that fail. Pods are named NAMESPACE/NAME.
//
// One thread.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "engine/binding/binding_sink.h"
#include "engine/model/objects/objects.h"
#include "engine/played/api_server.h"
#include "engine/runtime/core.h"

namespace berth::conformance {

// Answers bindings as it was ordered to.
class OrderedBindings final : public binding::BindingSink {
 public:
  // Sets the answer to the next binding of the pod; replaces an order that no binding has used.
  void order(const std::string& pod, binding::BindAnswer answer) {
    orders_.insert_or_assign(pod, std::move(answer));
  }

  binding::BindAnswer bind(const binding::Binding& binding) override;

 private:
  std::map<std::string, binding::BindAnswer> orders_;
};

class HistoryServer {
 public:
  HistoryServer(runtime::Core& core, played::ApiServer& server)  // both outlive it
      : core_(core), server_(server) {}

  void apply(const model::Change& change) { server_.apply(change, "case"); }

  // `finalizers`: metadata.finalizers is not empty.
  void add_pod(model::Pod pod, bool finalizers);
  // Metadata and spec are the object's; node, status, uid and deletion time stay. A pod without a
  // node that is being deleted leaves once it has no finalizers.
  void update_pod(model::Pod pod, bool finalizers);
  // `grace`: overrides the pod's own.
  void delete_pod(const std::string& name, std::optional<Time> grace);
  void finish_pod(const std::string& name);
  void set_nominated_node(const std::string& name, std::string_view node);

 private:
  // No id if there is no such pod.
  model::PodId find(const std::string& name) const;
  void keep_status(model::PodId id, model::Pod& pod) const;

  runtime::Core& core_;
  played::ApiServer& server_;
  std::set<std::string> held_;  // pods with finalizers
};

}  // namespace berth::conformance
