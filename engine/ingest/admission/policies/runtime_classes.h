#pragma once

// Gives new pods the overhead, node selector and tolerations of their RuntimeClass. Source: the
// admission plugin RuntimeClass. Internal to this module.

#include <map>
#include <optional>
#include <string>

#include "engine/ingest/admission/policies/policies.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The RuntimeClasses of a cluster. One thread at a time.
class RuntimeClasses {
 public:
  // Adds a class, or replaces that of the same name.
  void put(const RuntimeClass& object) { classes_[object.name] = object; }
  void remove(const std::string& name) { classes_.erase(name); }

  // Completes the pod. If it is refused, returns why, in the API server's words.
  std::optional<std::string> apply(const PodAsked& asked, model::PodSpec& spec) const;

 private:
  std::map<std::string, RuntimeClass> classes_;
};

}  // namespace berth::ingest
