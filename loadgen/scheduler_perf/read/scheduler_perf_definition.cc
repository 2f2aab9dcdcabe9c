#include "loadgen/scheduler_perf/read/scheduler_perf_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "loadgen/scheduler_perf/read/scheduler_perf_ops.h"
#include "loadgen/workload/fields/strict_fields.h"

namespace berth::loadgen::scheduler_perf {
namespace {

using document::Kind;
using document::Value;

std::map<std::string, bool> read_gates(StrictFields& in) {
  std::map<std::string, bool> gates;
  const Value value = in.at("featureGates");
  if (value.present() && !value.is(Kind::kObject))
    in.report(value, "featureGates must be an object of names and booleans");
  for (const document::Member& member : value.members()) {
    if (member.value.is(Kind::kBoolean)) {
      gates[std::string(member.key)] = member.value.as_bool();
    } else {
      in.report(member.value, fmt::format("feature gate {} must be true or false", member.key));
    }
  }
  return gates;
}

std::map<std::string, Value> read_parameters(StrictFields& in) {
  std::map<std::string, Value> parameters;
  const Value value = in.at("params");
  if (value.present() && !value.is(Kind::kObject))
    in.report(value, "params must be an object of names and values");
  for (const document::Member& member : value.members()) {
    const bool scalar = member.value.is(Kind::kNumber) || member.value.is(Kind::kString) ||
                        member.value.is(Kind::kBoolean);
    if (!scalar)
      in.report(member.value,
                fmt::format("parameter {} must be a number, a string or a boolean", member.key));
    parameters[std::string(member.key)] = member.value;
  }
  return parameters;
}

// True if the threshold applies to SchedulingThroughput, upstream's default.
bool is_throughput(Value selector) {
  if (!selector.present()) return true;
  for (const document::Member& member : selector.members())
    if (equal_ignoring_case(member.key, "name"))
      return member.value.is(Kind::kString) && member.value.as_string() == "SchedulingThroughput";
  return false;
}

// The threshold: a number, or an object of numbers by topic, which does not apply here.
std::optional<double> read_threshold(StrictFields& in, bool throughput) {
  const Value value = in.at("threshold");
  if (!value.present() || value.is(Kind::kObject)) return std::nullopt;
  const std::optional<double> number = value.as_double();
  if (number && *number >= 0) {
    return throughput && *number > 0 ? number : std::nullopt;
  }
  in.report(value, "threshold must be a number of pods a second, or an object of them by topic");
  return std::nullopt;
}

struct Shared {
  std::map<std::string, bool> gates;
  std::vector<std::string> labels;
  bool throughput = true;
  std::set<std::string> used;
};

std::optional<PerfWorkload> read_workload(Value value, const Shared& shared,
                                          Diagnostics& diagnostics) {
  const uint64_t before = diagnostics.count();
  StrictFields in(value, "a workload", diagnostics);
  PerfWorkload workload;
  workload.where = value;
  workload.name = in.text("name");
  if (workload.name.empty()) in.report(value, "a workload needs a name");
  workload.labels = shared.labels;
  for (std::string& label : in.texts("labels")) workload.labels.push_back(std::move(label));
  const Value selector = in.at("thresholdMetricSelector");
  workload.threshold =
      read_threshold(in, selector.present() ? is_throughput(selector) : shared.throughput);
  workload.feature_gates = shared.gates;
  for (const auto& [gate, enabled] : read_gates(in)) workload.feature_gates[gate] = enabled;
  workload.parameters = read_parameters(in);
  for (const auto& [name, parameter] : workload.parameters)
    if (!shared.used.contains(name))
      in.report(parameter,
                fmt::format("no operation of the workloadTemplate uses parameter {}", name));
  for (const std::string& name : shared.used)
    if (!workload.parameters.contains(name))
      in.report(value, fmt::format("workload {} does not set parameter {}, which an operation uses",
                                   workload.name, name));
  in.finish();
  if (diagnostics.count() != before) return std::nullopt;
  return workload;
}

void read_workloads(StrictFields& in, Shared shared, TestCase& test, Diagnostics& diagnostics) {
  for (const Op& op : test.ops) used_parameters(op, shared.used);
  std::set<std::string> names;
  for (Value value : in.objects("workloads")) {
    std::optional<PerfWorkload> workload = read_workload(value, shared, diagnostics);
    if (!workload) continue;
    if (names.insert(workload->name).second) {
      test.workloads.push_back(std::move(*workload));
    } else {
      in.report(value, fmt::format("test case {} has a workload {} already; this one is left out",
                                   test.name, workload->name));
    }
  }
}

void read_api_limits(StrictFields& in, TestCase& test) {
  const Value qps = in.at("schedulerApiClientQPS");
  const Value burst = in.at("schedulerApiClientBurst");
  for (Value value : {qps, burst})
    if (value.present() && !value.is(Kind::kNumber))
      in.report(value, "a limit on calls to the API server must be a number");
  if (qps.present() || burst.present())
    test.missing.emplace_back("a limit on calls to an API server (schedulerApiClientQPS)");
}

std::optional<TestCase> read_case(Value value, Diagnostics& diagnostics) {
  const uint64_t before = diagnostics.count();
  StrictFields in(value, "a test case", diagnostics);
  TestCase test;
  Shared shared;
  test.name = in.text("name");
  if (test.name.empty()) in.report(value, "a test case needs a name");
  shared.gates = read_gates(in);
  shared.labels = in.texts("labels");
  shared.throughput = is_throughput(in.at("defaultThresholdMetricSelector"));
  in.at("metricsCollectorConfig");  // selects which of kube-scheduler's metrics are kept
  test.scheduler_config = in.text("schedulerConfigPath");
  test.default_pod = {in.text("defaultPodTemplatePath"), in.at("defaultPodTemplatePath")};
  read_api_limits(in, test);
  for (Value op : in.objects("workloadTemplate"))
    if (std::optional<Op> read = read_op(op, diagnostics)) test.ops.push_back(std::move(*read));
  const Value workloads = in.at("workloads");
  in.finish();
  if (test.ops.empty() && diagnostics.count() == before)
    in.report(value, fmt::format("test case {} has no workloadTemplate", test.name));
  if (diagnostics.count() != before) return std::nullopt;
  if (!workloads.present())
    in.report(value, fmt::format("test case {} has no workloads", test.name));
  read_workloads(in, std::move(shared), test, diagnostics);
  return test;
}

}  // namespace

bool holds_scheduler_perf(Value root) {
  return std::ranges::any_of(root.elements(), [](Value element) {
    return std::ranges::any_of(element.members(), [](const document::Member& member) {
      return equal_ignoring_case(member.key, "workloadTemplate");
    });
  });
}

std::shared_ptr<const Definition> read_definition(const document::Document& document,
                                                  Diagnostics& diagnostics) {
  auto definition = std::make_shared<Definition>();
  definition->document = document;
  std::set<std::string> names;
  for (Value root : document.roots()) {
    if (!root.is(Kind::kArray)) {
      report_at(root, "expected a list of test cases", diagnostics);
      continue;
    }
    for (Value element : root.elements()) {
      std::optional<TestCase> test = read_case(element, diagnostics);
      if (!test) continue;
      if (names.insert(test->name).second) {
        definition->cases.push_back(std::move(*test));
      } else {
        report_at(element,
                  fmt::format("there is a test case {} already; this one is left out", test->name),
                  diagnostics);
      }
    }
  }
  return definition;
}

}  // namespace berth::loadgen::scheduler_perf
