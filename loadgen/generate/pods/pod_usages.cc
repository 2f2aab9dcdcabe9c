#include "loadgen/generate/pods/pod_usages.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/document/document.h"
#include "engine/model/objects/quantity.h"
#include "loadgen/generate/draws/draws.h"

namespace berth::loadgen {

void PodUsages::begin(const PodIdentity& pod, int64_t ends) {
  if (!cluster_.spec.templates[pod.of].usage) return;
  plan({.pod = pod, .number = 0, .at = clock_.latest(), .ends = ends});
}

void PodUsages::plan(const Report& report) {
  const int64_t tick = clock_.tick_end(std::min(kNever, report.at));
  if (tick != kNever && tick < report.ends) reports_[tick].push_back(report);
}

// All draws of a pod are of its number, so nothing is kept of it but that.
std::string PodUsages::metrics(const Report& report) {
  const TemplateSpec& made_of = cluster_.spec.templates[report.pod.of];
  const UsageSpec& usage = *made_of.usage;
  const auto draw = [&](For purpose, const Distribution& of) {
    return of.draw(drawn(cluster_.seed, purpose, report.pod.of, report.pod.number));
  };
  const int64_t cpu = draw(For::kUsageCpu, usage.cpu);
  __extension__ using Wide = __int128;
  const Wide grown = Wide(draw(For::kUsage, usage.memory)) +
                     Wide(draw(For::kUsageGrowth, usage.growth)) * report.number;
  const auto memory = static_cast<int64_t>(std::min(grown, Wide(Distribution::kMost)));
  std::string container;
  document::append_json_string(made_of.spec.containers.front().name, container);
  return fmt::format(R"({{"apiVersion":"metrics.k8s.io/v1beta1","kind":"PodMetrics",)"
                     R"("metadata":{{"namespace":"{}","name":"{}"}},)"
                     R"("containers":[{{"name":{},"usage":{{"cpu":"{}","memory":"{}"}}}}]}})",
                     cluster_.namespaces.name(report.pod.namespace_number), name_, container,
                     model::Quantity::from_milli(cpu).to_string(), memory / 1000);
}

void PodUsages::report_next(LoadStep& step) {
  BERTH_ASSERT(!reports_.empty());
  const auto first = reports_.begin();
  Report report = first->second[told_++];
  if (told_ == first->second.size()) {
    reports_.erase(first);
    told_ = 0;
  }
  name_pod(cluster_, report.pod, name_);
  step.events.push_back(
      {report.number == 0 ? model::Operation::kAdded : model::Operation::kModified,
       model::ControllerObject{
           .kind = "PodMetrics",
           .name = name_,
           .namespace_name = cluster_.namespaces.name(report.pod.namespace_number),
           .json = metrics(report),
           .data = nullptr}});
  const UsageSpec& usage = *cluster_.spec.templates[report.pod.of].usage;
  if (++report.number == usage.reports) return;
  report.at += usage.every;
  plan(report);
}

}  // namespace berth::loadgen
