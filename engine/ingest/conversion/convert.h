#pragma once

// Converts what berth reads from one format to another.
//
// JSON and YAML hold objects, JSON lines and frames a stream: first the cluster, then the pods that
// wait for a node, then what happens. Objects to objects: each object stays as it is, also of kinds
// that scheduling does not read. To a stream: objects keep what scheduling reads; manifests become
// the pods of their controllers, and pods are admitted, as when `berth run` reads the file. From a
// stream to objects: the cluster and the pods.
//
// An object with a fault is reported and left out, in every direction; all others stay. What the
// new format does not hold is counted.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/ingest/admission/admission.h"
#include "engine/ingest/conversion/dropped.h"
#include "engine/ingest/objects/remarks.h"

namespace berth::ingest {

enum class Format : uint8_t { kJson, kYaml, kLines, kFrames };

enum class Part : uint8_t {
  kAll,      // in a stream, pods without a node are work, all else is the cluster
  kCluster,  // for `berth run --cluster`: all objects; of streams, their cluster
  kPods      // for `berth run --pods` beside a cluster: pods without a node, and manifests
};

struct Conversion {
  Part part = Part::kAll;
  Format format = Format::kJson;
  bool admission = true;
  OptionalPlugins admission_plugins{};
  // Validates objects that are new, if they are admitted and go to a stream.
  KubeVersion version = kDefaultKubeVersion;

  // The result.
  Diagnostics faults;
  Dropped dropped{true, Workloads::kManifests};
  Remarks remarks;                 // about the pods of workloads
  std::vector<std::string> notes;  // what a user has to know for equal decisions
};

// Converts files, folders (see folder_files.h), or standard input for "-", in their order: objects
// first, then streams. Throws Error if a file cannot be read or `out` cannot be written.
void convert(const std::vector<std::string>& inputs, ByteSink& out, Conversion& conversion);

}  // namespace berth::ingest
