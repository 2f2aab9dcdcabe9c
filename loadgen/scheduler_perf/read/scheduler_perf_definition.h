#pragma once

// The definitions of kube-scheduler's own benchmark (kubernetes test/integration/scheduler_perf) as
// values: test cases, each with a list of operations and several workloads, which give values to
// the parameters of the operations.
//
// Reading is as strict as upstream: an unknown field, operation or parameter is an error. Field
// names are compared ignoring case, as Go does.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/scheduler_perf/read/scheduler_perf_ops.h"

namespace berth::loadgen::scheduler_perf {

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
