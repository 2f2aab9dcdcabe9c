#pragma once

// The pods that `berth fit` copies: a pod, the template of a workload, or a gang of both. Files of
// manifests name them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/model/objects/change.h"

namespace berth::cli {

// Pods of one template. Admitted, without a node, and without the name of one copy.
struct CopiedPod {
  model::Pod pod;  // its name is what the copies' names begin with
  ingest::PodAsked asked;
  bool stateful = false;  // copies have ordinals, and claims of their own
  std::vector<model::PersistentVolumeClaim> claims;  // of a StatefulSet: the templates
  bool merges_labels = false;
  uint64_t pods = 1;                           // in each copy
  std::shared_ptr<const model::PodSpec> spec;  // of `pod`
  // True if copies differ in their names alone, so that they share their template.
  bool plain() const { return !stateful && asked.ephemeral_claims.empty(); }
};

// The parts of one copy. Pods with one value of the group's label are a gang.
struct CopiedUnit {
  std::string name;                       // for people: "Deployment default/web"
  std::vector<CopiedPod> members;         // at least one
  std::string group;                      // the value of the group's label; empty: no gang
  std::optional<model::PodGroup> object;  // of a gang
  uint64_t replicas = 1;                  // as the manifest asks for

  uint64_t pods() const;  // in each copy
};

struct Copied {
  std::vector<CopiedUnit> units;
  std::vector<model::Change> others;  // of the same files: objects that the cluster gets
};

struct CopiedFiles {
  std::vector<std::string> paths;  // files, folders, "-"
  ingest::Validation validation;   // kNone: an API server took them already
};

// Reads the manifests. What is refused is reported and left out. Throws Error if a file cannot be
// read, or nothing is left to copy.
Copied read_copied(const CopiedFiles& files, ingest::Creation& creation, Diagnostics& diagnostics,
                   ingest::Remarks& remarks);

// The pod of this name and ordinal, of the gang of this value if `group` is not empty.
model::Pod copy_of(const CopiedPod& from, std::string name, uint64_t ordinal,
                   const std::string& group);

// The label by which pods are of a group.
inline constexpr char kGroupLabel[] = "scheduling.x-k8s.io/pod-group";

}  // namespace berth::cli
