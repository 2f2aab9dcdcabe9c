#pragma once

// The definitions of kube-scheduler's own benchmark (kubernetes test/integration/scheduler_perf) as
// values: test cases, each with a list of operations and several workloads, which give values to
// the parameters of the operations.
//
// Reading is as strict as upstream: an unknown field, operation or parameter is an error. Field
// names are compared ignoring case, as Go does.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::loadgen::scheduler_perf {

// A number, or the name of the workload parameter that supplies it.
struct Amount {
  int64_t value = 0;
  std::string parameter;  // without $; if empty, `value` is the amount
  document::Value where;
};

enum class OpKind : uint8_t {
  kCreateNodes,
  kCreateNamespaces,
  kCreatePods,
  kCreatePodSets,
  kDeletePods,
  kChurn,
  kCreateAny,
  kUpdateAny,
  kBarrier,
  kSleep,
  kStartCollecting,
  kStopCollecting,
  kMissing,  // upstream has it; the engine lacks what it needs
};

enum class LabelStrategy : uint8_t { kNone, kRoundRobin, kUnique };

// The path of a template, with the place that mentions it.
struct TemplatePath {
  std::string path;  // as written; empty: none
  document::Value where;
};

// One operation. Only the members that belong to its kind are set.
struct Op {
  OpKind kind = OpKind::kMissing;
  std::string opcode;
  document::Value where;
  std::vector<std::string> missing;  // features it needs that the engine lacks

  Amount count;                    // createAny: 1 by default
  std::string multiplier;          // a parameter that multiplies `count`; may be empty
  std::shared_ptr<const Op> pods;  // createPodSets: the createPods that runs in each namespace
  std::optional<std::string> namespace_name;
  std::string prefix;                                      // prefix of namespace names
  TemplatePath path;                                       // of nodes, pods, namespaces or objects
  std::vector<TemplatePath> paths;                         // churn
  std::map<std::string, document::Value> template_values;  // templateParams

  LabelStrategy label_strategy = LabelStrategy::kNone;
  std::string label_key;
  std::vector<std::string> label_values;
  model::ResourceList allocatable;  // nodeAllocatableStrategy
  // The CSINode that this strategy makes for each node, without its name.
  std::optional<model::CsiNode> csi_node;

  bool collect = false;  // collectMetrics
  bool skip_wait = false;
  bool attempted = false;  // barrier: pods must have been tried, not scheduled
  bool resize = false;     // updateAny: changes the resources of pods alone
  // createPods: templates of a volume and of a claim that each pod gets. Both or none.
  TemplatePath volume_path, claim_path;
  Amount signature_batch;
  std::map<std::string, std::string> labels;  // labelSelector
  std::vector<std::string> namespaces;
  int64_t per_second = 0;  // deletePodsPerSecond, updatePerSecond; 0: all at once
  bool recreate = false;   // churn's mode
  int64_t number = 0;
  int64_t interval_ms = 500;
  int64_t duration_ns = 0;
  std::string duration_parameter;
};

struct PerfWorkload {
  std::string name;
  document::Value where;
  std::map<std::string, document::Value> parameters;
  std::vector<std::string> labels;            // of the test case and of the workload
  std::optional<double> threshold;            // set only if its unit is pods per second
  std::map<std::string, bool> feature_gates;  // the test case's, overridden by the workload's
};

struct TestCase {
  std::string name;
  std::vector<Op> ops;
  std::vector<PerfWorkload> workloads;
  TemplatePath default_pod;
  std::string scheduler_config;      // schedulerConfigPath, as written
  std::vector<std::string> missing;  // settings that the engine lacks
};

inline constexpr int64_t kMostObjects = 10'000'000;  // limit per operation

// The test cases of a file.
struct Definition {
  document::Document document;  // owns what the values refer to
  std::vector<TestCase> cases;
};

// True if the document holds such definitions: an array with an object that has a workloadTemplate.
bool holds_scheduler_perf(document::Value root);

// Invalid test cases and workloads are reported with their place and left out.
std::shared_ptr<const Definition> read_definition(const document::Document& document,
                                                  Diagnostics& diagnostics);

}  // namespace berth::loadgen::scheduler_perf
