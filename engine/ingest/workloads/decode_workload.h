#pragma once

// Decodes and validates workloads, as an API server does. Internal to this module.

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Pods that the workloads of one reader may ask for in all, and the sum of their sizes
// (Workload::size).
inline constexpr uint64_t kMostExpanded = 1'000'000;
inline constexpr uint64_t kMostExpandedBytes = uint64_t{2} << 30;

struct WorkloadOptions {
  std::string number;             // behind the name, if the object has only a generateName
  uint64_t room = kMostExpanded;  // how many pods it may ask for
  Validation validation = Validation::kNone;
};
// Returns nothing after an error was reported.
std::optional<Workload> decode_workload(document::Value value, WorkloadKind kind,
                                        const WorkloadOptions& options, Diagnostics& diagnostics);

// The ReplicaSet that a Deployment's controller creates, which selects pods.
model::SelectorOwner replica_set_of(document::Value deployment, const Workload& workload);

// True if the pods of this object are those of a Deployment, which controls it.
bool is_controlled(document::Value object);
// Requires: a ReplicaSet that is controlled.
ControlledSet controlled_set(document::Value replica_set);

// The path of a pod template that this object of a kind that is not read holds, as in
// spec.template; nothing if it has none.
std::optional<std::string> pod_template_in(document::Value object);

}  // namespace berth::ingest
