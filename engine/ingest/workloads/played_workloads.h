#pragma once

// The workloads of a run whose controllers are played. See docs/controllers.md for which these are.
// Internal to this module.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/ingest/objects/remarks.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/change.h"
#include "engine/model/objects/workload.h"

namespace berth::ingest {

// One thread at a time.
class PlayedWorkloads {
 public:
  // Completes a pod of a workload as an API server does, or returns why it is refused.
  using Admit = std::function<std::optional<std::string>(model::Pod&, const PodAsked&)>;

  // The object that the workload's controller gets; nothing, and a remark: it cannot be played.
  // `to`: what expand() made of `from`, whose pod is not admitted.
  std::optional<model::ControllerObject> put(const Workload& from, model::Workload to,
                                             const Admit& admit, Remarks& remarks);
  // The same of one that is gone.
  static model::ControllerObject named(std::string kind, std::string namespace_name,
                                       std::string name);
  void remove(const model::ControllerObject& object);
  bool is_known(const Workload& workload) const {
    return known_.contains(key_of(name_of(workload)));
  }
  // True if one of this name was removed, and none came since.
  bool was_removed(const Workload& workload) const {
    return removed_.contains(key_of(name_of(workload)));
  }
  // The number of pods that it asks for beyond those that it did.
  uint64_t more_pods(const Workload& workload) const;

 private:
  struct Known {
    std::string revision;
    uint64_t pods = 0;
  };
  static std::string key_of(const model::ControllerObject& object);
  static model::ControllerObject name_of(const Workload& workload);

  std::map<std::string, Known> known_;  // by key_of()
  std::set<std::string> removed_;       // the same
};

}  // namespace berth::ingest
