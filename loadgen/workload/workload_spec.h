#pragma once

// A workload file as plain values, with parameters filled in and all checks passed.
//
// Units: amounts are in thousandths of a resource's unit, times and durations in nanoseconds,
// shares are fractions of 2^64. An "index" refers to the vector of the same name in WorkloadSpec.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/objects/change.h"
#include "engine/model/objects/objects.h"
#include "loadgen/generate/draws/distribution.h"

namespace berth::loadgen {

// The time of an event that never happens.
inline constexpr int64_t kNever = Distribution::kMost;
// Most pods in one step. A closed loop is the exception: all its outstanding pods form one step, at
// most kMostOutstanding.
inline constexpr size_t kPodsPerStep = 4096;
inline constexpr uint64_t kMostOutstanding = 65'536;
// In a template, a label value or selector value that is equal to this word is replaced by the
// owner's name.
inline constexpr char kOwnerWord[] = "OWNER";

struct ImageSpec {
  std::string name;
  int64_t bytes = 0;
  uint64_t share = 0;  // of the nodes that hold the image
};

struct NodeShape {
  std::string name;
  uint64_t count = 0;   // nodes that have this shape for certain
  uint64_t weight = 0;  // relative frequency among the drawn nodes
  model::ResourceList allocatable;
  model::StringMap labels, annotations;
  std::vector<model::Taint> taints;
  uint64_t unschedulable = 0;  // share of the nodes that are cordoned
  // Memory that runs beside pods, in thousandths of bytes, drawn once for each node.
  std::optional<Distribution> system_memory;
};

struct ClusterSpec {
  uint64_t drawn = 0;  // nodes with a shape drawn by weight; they follow those counted by shape
  std::vector<std::string> zones;
  std::string region;
  uint64_t racks = 0;  // per zone; 0: no rack labels
  std::vector<ImageSpec> images;
  std::vector<NodeShape> shapes;

  // The total number of nodes.
  uint64_t nodes() const;
};

struct NamespaceSpec {
  std::string name;  // used as is if count is 1, otherwise followed by a number
  uint64_t count = 1;
  model::StringMap labels;
};

// The way in which a claim gets its volume.
enum class ClaimKind : uint8_t {
  kBound,      // it is bound when its pod arrives
  kDelayed,    // of the class `delayed`, when its pod has a node
  kImmediate,  // of the class `immediate`, as soon as it exists
};

// Claims that pods have for themselves.
struct ClaimsSpec {
  uint64_t share =
      UINT64_MAX;     // of the pods that have some; of Jobs and owners where pods have one
  uint32_t each = 1;  // of a pod, if it has some
  Distribution size;  // in thousandths of a byte
  std::array<uint64_t, 3> weights{};  // relative frequencies by ClaimKind
};

// The objects that claims need: two classes and a driver with a CSINode on each node.
struct StorageSpec {
  std::string driver;
  // Label of the nodes that a volume reaches, with one of its values; empty: all nodes.
  std::string topology_key;
  std::optional<int64_t> per_node;  // volumes that a node takes; absent: no limit
};

// The use of pods: a PodMetrics of each, again and again. Amounts in thousandths.
struct UsageSpec {
  int64_t every = 0;     // from one report to the next
  uint64_t reports = 0;  // of a pod, the first when it arrives
  Distribution cpu, memory;
  Distribution growth;  // of memory, from report to report
};

// How long the containers of pods run, in nanoseconds, and the share of 2^64 that ends with the
// exit code 1.
struct RunsSpec {
  Distribution lasting;
  uint64_t fails = 0;
};

struct TemplateSpec {
  std::string name;
  uint64_t weight = 1;
  uint32_t namespaces = 0;  // index of an entry of `namespaces`
  model::PodSpec spec;
  // Drawn per variant; sorted by resource.
  std::vector<std::pair<std::string, Distribution>> requests;
  std::optional<RunsSpec> runs;  // drawn per variant
  // Pods of a template have at most this many different sets of requests and runs.
  uint32_t variants = 1;
  std::optional<ClaimsSpec> claims;
  std::optional<UsageSpec> usage;
};

// A weighted choice between templates. Each entry holds the sum of weights up to and including it,
// and an index.
struct TemplateChoice {
  std::vector<std::pair<uint64_t, uint32_t>> templates;
  // The index that 64 random bits select.
  uint32_t choose(uint64_t bits) const;
};

// Pods that are already running when the load begins.
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

// Changes the number of replicas of an owner at intervals.
struct ScaleSpec {
  Distribution every;     // interval
  Distribution replicas;  // new number of replicas
};

struct OwnerSpec {
  OwnerKind kind = OwnerKind::kDeployment;
  std::string name;  // used as is if count is 1, otherwise followed by a number
  uint64_t count = 1;
  uint32_t pod_template = 0;  // index
  uint32_t namespaces = 0;    // index
  Distribution replicas;
  bool service = false;
  bool manifest = false;  // it is written, and the run that reads it makes its pods
  bool measured = false;  // the initial pods belong to the measurement
  std::optional<ScaleSpec> scale;
  std::optional<Distribution> lifetime;  // of a Job's pods, from arrival to completion
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

// One source of pods over time. The last group of members is used by the kinds that its comments
// name.
struct ArrivalSpec {
  ArrivalKind kind = ArrivalKind::kAtOnce;
  TemplateChoice templates;
  uint64_t pods = UINT64_MAX;  // at most this many in total
  int64_t start = 0;
  int64_t stop = kNever;
  bool measured = true;
  std::optional<Distribution> lifetime;
  std::optional<Distribution> job_pods;  // if set, each arrival is a Job with this many pods

  double rate = 0;                    // arrivals per second; constant, Poisson, daily (mean)
  std::optional<Distribution> every;  // bursts: time between two
  std::optional<Distribution> burst;  // bursts: arrivals in each
  std::vector<double> curve;          // daily: relative rates at equally spaced times of a period
  int64_t period = 0;                 // daily: length of a day
  uint64_t outstanding = 0;           // closed loop: pods that wait at the same time
  std::vector<int64_t> times;         // replay: ascending times
  std::string times_file;  // replay: a file with one time per line, used instead of `times`

  bool bounded() const;  // true if the arrivals end without a duration
};

// A recurring change of a node, a zone or a namespace.
struct ChurnSpec {
  Distribution every;                   // interval
  std::optional<Distribution> lasting;  // time until the change is undone
  std::vector<uint32_t> shapes;         // indices of the affected shapes; empty: all nodes
  std::string key;                      // the label that changes, to one of `values`
  std::vector<std::string> values;
  std::string options;  // of kubectl drain
};

struct WorkloadSpec {
  std::string name, description, file;
  int64_t duration = kNever;  // planned length of the load; kNever: it ends with its arrivals
  int64_t tick = 0;           // changes planned within a tick take effect at its end
  bool timed = false;         // a stream tells the times of its events
  ClusterSpec cluster;
  std::vector<model::ControllerObject> kubelets;  // KubeletConfigurations
  std::optional<StorageSpec> storage;             // set if a template has claims
  std::vector<NamespaceSpec> namespaces;          // never empty
  std::vector<TemplateSpec> templates;
  std::vector<PlacedSpec> placed;
  std::vector<OwnerSpec> owners;
  std::vector<ArrivalSpec> arrivals;
  std::vector<ChurnSpec> failures, drains, node_labels, namespaces_come, namespace_labels;
  std::vector<ChurnSpec> outages, zone_outages, rolling_drains;

  // See Workload::for_controllers.
  bool for_controllers() const;
};

}  // namespace berth::loadgen
