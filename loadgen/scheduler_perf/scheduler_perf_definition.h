#pragma once

// The definitions of kube-scheduler's own benchmark (kubernetes test/integration/scheduler_perf) as
// values: test cases, each with a list of operations and workloads that fill in its parameters.
//
// As strict as upstream: an unknown field, operation or parameter is an error. Field names are
// compared without regard to case, as Go does.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/model/objects/objects.h"

namespace berth::loadgen::scheduler_perf {

// A number, or the workload's parameter that has it.
struct Amount {
  int64_t value = 0;
  std::string parameter;  // without its $; empty: `value` counts
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
  kBarrier,
  kSleep,
  kStartCollecting,
  kStopCollecting,
  kMissing,  // upstream has it, and the engine not what it needs
};

enum class LabelStrategy : uint8_t { kNone, kRoundRobin, kUnique };

// A path to a template, with the place that names it.
struct TemplatePath {
  std::string path;  // as written; empty: none
  document::Value where;
};

// One operation. Members of other kinds than its own are empty.
struct Op {
  OpKind kind = OpKind::kMissing;
  std::string opcode;
  document::Value where;
  std::vector<std::string> missing;  // what it needs and the engine does not have

  Amount count;                    // createAny: 1 unless it says otherwise
  std::string multiplier;          // a parameter that `count` is multiplied by; may be empty
  std::shared_ptr<const Op> pods;  // createPodSets: what is created in each namespace
  std::optional<std::string> namespace_name;
  std::string prefix;                                      // of namespaces
  TemplatePath path;                                       // of nodes, pods, namespaces or objects
  std::vector<TemplatePath> paths;                         // churn
  std::map<std::string, document::Value> template_values;  // templateParams

  LabelStrategy label_strategy = LabelStrategy::kNone;
  std::string label_key;
  std::vector<std::string> label_values;
  model::ResourceList allocatable;  // nodeAllocatableStrategy

  bool collect = false;  // collectMetrics
  bool skip_wait = false;
  Amount signature_batch;
  std::map<std::string, std::string> labels;  // labelSelector
  std::vector<std::string> namespaces;
  int64_t per_second = 0;  // deletePodsPerSecond
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
  std::vector<std::string> labels;            // the test case's and its own
  std::optional<double> threshold;            // only if it is one in pods a second
  std::map<std::string, bool> feature_gates;  // the test case's, with its own over them
};

struct TestCase {
  std::string name;
  std::vector<Op> ops;
  std::vector<PerfWorkload> workloads;
  TemplatePath default_pod;
  std::string scheduler_config;      // schedulerConfigPath, as written
  std::vector<std::string> missing;  // settings that the engine has nothing for
};

inline constexpr int64_t kMostObjects = 10'000'000;  // of one operation

// A file's test cases.
struct Definition {
  document::Document document;  // what the values point into
  std::vector<TestCase> cases;
};

// Whether a document holds such definitions: an array with an object that has a workloadTemplate.
bool holds_scheduler_perf(document::Value root);

// Test cases with something wrong are reported, with the place, and left out; so are workloads.
std::shared_ptr<const Definition> read_definition(const document::Document& document,
                                                  Diagnostics& diagnostics);

}  // namespace berth::loadgen::scheduler_perf
