#pragma once

// A workload file as plain values, parameters filled in and everything checked. Amounts are in
// thousandths of a resource's unit, times in nanoseconds, shares of 2^64.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "loadgen/generate/distribution.h"

namespace berth::loadgen {

inline constexpr int64_t kNever = Distribution::kMost;
// Pods of one step but for a closed loop, in which all that are outstanding are one step.
inline constexpr size_t kPodsPerStep = 4096;
inline constexpr uint64_t kMostOutstanding = 65'536;
// A label value or a value in a selector of a template that stands for the name of the owner.
inline constexpr char kOwnerWord[] = "OWNER";

struct ImageSpec {
  std::string name;
  int64_t bytes = 0;
  uint64_t share = 0;  // of the nodes that have it
};

struct NodeShape {
  std::string name;
  uint64_t count = 0;   // so many of it
  uint64_t weight = 0;  // among those that are drawn
  model::ResourceList allocatable;
  model::StringMap labels, annotations;
  std::vector<model::Taint> taints;
  uint64_t unschedulable = 0;  // share
};

struct ClusterSpec {
  uint64_t drawn = 0;  // nodes whose shape is drawn by weight; they follow those with a count
  std::vector<std::string> zones;
  std::string region;
  uint64_t racks = 0;  // in each zone; 0: nodes are in none
  std::vector<ImageSpec> images;
  std::vector<NodeShape> shapes;

  uint64_t nodes() const;
};

struct NamespaceSpec {
  std::string name;  // of one; several have a number behind it
  uint64_t count = 1;
  model::StringMap labels;
};

struct TemplateSpec {
  std::string name;
  uint64_t weight = 1;
  uint32_t namespaces = 0;  // index
  model::PodSpec spec;
  std::vector<std::pair<std::string, Distribution>> requests;  // sorted by resource
  uint32_t variants = 1;
};

// Which templates, by the sum of weights up to each.
struct TemplateChoice {
  std::vector<std::pair<uint64_t, uint32_t>> templates;
  uint32_t choose(uint64_t bits) const;
};

// Pods that run when the load begins.
struct PlacedSpec {
  TemplateChoice templates;
  Distribution per_node;
};

enum class OwnerKind : uint8_t {
  kDeployment,
  kReplicaSet,
  kReplicationController,
  kStatefulSet,
  kDaemonSet,
  kJob
};

struct ScaleSpec {
  Distribution every;     // time
  Distribution replicas;  // to so many
};

struct OwnerSpec {
  OwnerKind kind = OwnerKind::kDeployment;
  std::string name;  // of one; several have a number behind it
  uint64_t count = 1;
  uint32_t pod_template = 0;  // index
  uint32_t namespaces = 0;    // index
  Distribution replicas;
  bool service = false;
  bool measured = false;  // the pods that it has in the beginning
  std::optional<ScaleSpec> scale;
  std::optional<Distribution> lifetime;  // of a Job's pods
};

enum class ArrivalKind : uint8_t {
  kAtOnce,
  kConstant,
  kPoisson,
  kBursts,
  kDaily,
  kClosedLoop,
  kReplay
};

struct ArrivalSpec {
  ArrivalKind kind = ArrivalKind::kAtOnce;
  TemplateChoice templates;
  uint64_t pods = UINT64_MAX;  // at most
  int64_t start = 0;
  int64_t stop = kNever;
  bool measured = true;
  std::optional<Distribution> lifetime;
  std::optional<Distribution> job_pods;  // each arrival is a Job of so many pods

  double rate = 0;                    // constant, Poisson, daily (mean): arrivals a second
  std::optional<Distribution> every;  // bursts: time
  std::optional<Distribution> burst;  // bursts: arrivals
  std::vector<double> curve;          // daily: relative rates at equal distances
  int64_t period = 0;                 // daily
  uint64_t outstanding = 0;           // closed loop
  std::vector<int64_t> times;         // replay: ascending
  std::string times_file;             // replay: a file with one time a line, in place of those

  bool bounded() const;  // it ends by itself
};

// Something that happens to nodes or namespaces again and again.
struct ChurnSpec {
  Distribution every;                   // time
  std::optional<Distribution> lasting;  // time until it is undone
  std::vector<uint32_t> shapes;         // of the nodes that it happens to; empty: all
  std::string key;                      // labels
  std::vector<std::string> values;
};

struct WorkloadSpec {
  std::string name, description, file;
  int64_t duration = kNever;
  int64_t tick = 0;
  ClusterSpec cluster;
  std::vector<NamespaceSpec> namespaces;  // never empty
  std::vector<TemplateSpec> templates;
  std::vector<PlacedSpec> placed;
  std::vector<OwnerSpec> owners;
  std::vector<ArrivalSpec> arrivals;
  std::vector<ChurnSpec> failures, drains, node_labels, namespaces_come, namespace_labels;
};

}  // namespace berth::loadgen
