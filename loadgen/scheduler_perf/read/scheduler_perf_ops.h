#pragma once

// The operations of a workloadTemplate as values, and their reader. Internal to the import of
// scheduler_perf.
//
// An Op has what all operations have, and as `action` the struct of its opcode.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::loadgen::scheduler_perf {

inline constexpr int64_t kMostObjects = 10'000'000;  // limit per operation

// A number, or the name of the workload parameter that supplies it.
struct Amount {
  int64_t value = 0;
  std::string parameter;  // without $; if empty, `value` is the amount
  document::Value where;
};

// The path of a template, with the place that mentions it.
struct TemplatePath {
  std::string path;  // as written; empty: none
  document::Value where;
};

enum class LabelStrategy : uint8_t { kNone, kRoundRobin, kUnique };

// The label that each node of an operation gets.
struct NodeLabel {
  LabelStrategy strategy = LabelStrategy::kNone;
  std::string key;
  std::vector<std::string> values;  // not empty with kRoundRobin
};

struct CreateNodes {
  Amount count;
  TemplatePath path;
  std::map<std::string, document::Value> template_values;  // templateParams
  NodeLabel label;
  model::ResourceList allocatable;  // nodeAllocatableStrategy
  // The CSINode that this strategy makes for each node, without its name.
  std::optional<model::CsiNode> csi_node;
};

struct CreateNamespaces {
  Amount count;
  std::string prefix;
  TemplatePath path;
};

struct CreatePods {
  Amount count;
  std::string multiplier;  // a parameter that multiplies `count`; may be empty
  std::optional<std::string> namespace_name;
  TemplatePath path;
  std::map<std::string, document::Value> template_values;  // templateParams
  bool collect = false;                                    // collectMetrics
  bool skip_wait = false;                                  // skipWaitToCompletion
  Amount signature_batch;
  // Templates of a volume and of a claim that each pod gets. Both or none.
  TemplatePath volume_path, claim_path;
};

struct Op;

struct CreatePodSets {
  Amount count;
  std::string prefix;              // of the namespaces
  std::shared_ptr<const Op> pods;  // the createPods that runs in each namespace; never null
};

struct DeletePods {
  std::string namespace_name;
  std::map<std::string, std::string> labels;  // labelSelector
  bool skip_wait = false;                     // skipWaitToCompletion
  int64_t per_second = 0;                     // 0: all at once
};

struct Churn {
  std::vector<TemplatePath> paths;
  std::optional<std::string> namespace_name;
  bool recreate = false;  // the mode
  int64_t number = 0;     // with `recreate` above 0; otherwise 0: without end
  int64_t interval_ms = 500;
};

struct CreateAny {
  Amount count;  // 1 by default
  std::optional<std::string> namespace_name;
  TemplatePath path;
  std::map<std::string, document::Value> template_values;  // templateParams
};

struct UpdateAny {
  Amount count;  // 1 by default
  std::optional<std::string> namespace_name;
  TemplatePath path;
  int64_t per_second = 0;  // 0: all at once
  bool resize = false;     // changes the resources of pods alone
};

struct Barrier {
  bool attempted = false;  // pods must have been tried, not scheduled
};

struct Sleep {
  int64_t duration_ns = 0;
  std::string duration_parameter;  // supplies the duration; may be empty
};

struct StartCollecting {
  std::vector<std::string> namespaces;        // not empty
  std::map<std::string, std::string> labels;  // labelSelector
};

struct StopCollecting {};

// Upstream has it; the engine lacks what it needs.
struct Missing {};

using Action =
    std::variant<Missing, CreateNodes, CreateNamespaces, CreatePods, CreatePodSets, DeletePods,
                 Churn, CreateAny, UpdateAny, Barrier, Sleep, StartCollecting, StopCollecting>;

// One operation.
struct Op {
  std::string opcode;
  document::Value where;
  std::vector<std::string> missing;  // features it needs that the engine lacks
  Action action;
};

// Returns nullopt if anything was reported.
std::optional<Op> read_op(document::Value value, Diagnostics& diagnostics);

// Adds the names of the parameters that the operation uses to `used`.
void used_parameters(const Op& op, std::set<std::string>& used);

}  // namespace berth::loadgen::scheduler_perf
