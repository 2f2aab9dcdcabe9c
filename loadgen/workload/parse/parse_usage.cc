// Parses `kubelets`, and `usage` of templates.

#include <fmt/format.h>

#include <algorithm>

#include "loadgen/workload/parse/parse_distribution.h"
#include "loadgen/workload/parse/parse_parts.h"

namespace berth::loadgen {
namespace {

using document::Value;

constexpr char kKubeletVersion[] = "kubelet.config.k8s.io/v1beta1";
constexpr char kKubeletKind[] = "KubeletConfiguration";
constexpr uint64_t kMostReports = 1'000'000;
constexpr int64_t kShortestPause = 1'000'000'000;
constexpr int64_t kBytes = 1000;  // amounts are in thousandths

}  // namespace

// They are written as they are: the run that reads them knows their fields.
void WorkloadParser::kubelets(std::vector<Value> list) {
  for (const Value value : list) {
    if (value.find("kind").text() != kKubeletKind ||
        value.find("apiVersion").text() != kKubeletVersion) {
      context_.report(value, fmt::format("expected an object with `apiVersion: {}` and `kind: {}`",
                                         kKubeletVersion, kKubeletKind));
      continue;
    }
    spec_.kubelets.push_back({.kind = kKubeletKind,
                              .name = std::string(value.find("metadata").find("name").text()),
                              .namespace_name = {},
                              .json = document::to_json(value),
                              .data = nullptr});
  }
}

std::optional<UsageSpec> WorkloadParser::usage(Fields in) {
  if (!in.present()) return std::nullopt;
  UsageSpec usage;
  if (!in.has("every")) in.missing("every", "is missing: expected a time such as 30s");
  usage.every = in.duration("every", kShortestPause, kShortestPause);
  if (!in.has("reports")) in.missing("reports", "is missing: how often a pod tells what it uses");
  usage.reports = in.count("reports", 1, kMostReports, 1);
  const auto amount = [&](std::string_view name, int64_t step, Distribution& to) {
    const Value value = in.at(name);
    if (!value.present()) return;
    if (auto drawn =
            parse_distribution(value, Unit::kQuantity, context_, 0, Distribution::kMost, step))
      to = std::move(*drawn);
  };
  amount("cpu", 1, usage.cpu);
  amount("memory", kBytes, usage.memory);
  amount("growth", kBytes, usage.growth);
  if (!in.has("memory")) in.missing("memory", "is missing: expected such as 200Mi");
  in.done();
  return usage;
}

std::optional<RunsSpec> WorkloadParser::runs(Fields in) {
  if (!in.present()) return std::nullopt;
  RunsSpec runs;
  if (!in.has("for")) in.missing("for", "is missing: expected a time such as 10m");
  if (auto lasting = distribution(in, "for", Unit::kDuration, 0)) runs.lasting = *lasting;
  runs.fails = share_of(in.real("fails", 0, 1, 0));
  in.done();
  return runs;
}

// Of other pods than those that arrive one by one it is not known when they come and go.
void WorkloadParser::check_usage(Value at, const TemplateChoice& templates) {
  for (const auto& [weight, index] : templates.templates)
    if (index < spec_.templates.size() && spec_.templates[index].usage)
      context_.report(at,
                      fmt::format("pods of the template \"{}\" have `usage`: they arrive one by "
                                  "one, without an owner or a Job",
                                  spec_.templates[index].name));
}

}  // namespace berth::loadgen
