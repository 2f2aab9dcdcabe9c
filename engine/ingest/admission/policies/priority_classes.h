#pragma once

// Gives new pods the priority of their PriorityClass. Source: the admission plugin Priority.
// Internal to this module.

#include <map>
#include <optional>
#include <string>

#include "engine/ingest/admission/policies/policies.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The PriorityClasses of a cluster. One thread at a time.
class PriorityClasses {
 public:
  // Adds a class, or replaces that of the same name.
  void put(const PriorityClass& object) { classes_[object.name] = object; }
  void remove(const std::string& name) { classes_.erase(name); }

  // Adds a class that is created. If it is refused, returns why, in the API server's words: one
  // alone may be the global default. Those that have a UID are there already.
  std::optional<std::string> admit(const PriorityClass& object);
  // Sets priority and preemption policy: of the class that the pod names, else of the global
  // default with the smallest value, else 0. If the pod is refused, returns why. A pod that brings
  // a priority and names no class that is known keeps it.
  std::optional<std::string> apply(const PodAsked& asked, model::PodSpec& spec) const;

 private:
  struct Given {
    int32_t priority = 0;
    std::string policy = "PreemptLowerPriority";
  };
  Given global_default() const;

  std::map<std::string, PriorityClass> classes_;
};

}  // namespace berth::ingest
