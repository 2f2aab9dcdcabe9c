#include "tests/simulation/configuration.h"

namespace berth::simulation {
namespace {

// The points of decisions at which Chaos may be left out, by their names in configurations. The
// default plugins come first where no order is given.
std::string left_out(const Rates& rates) {
  static constexpr std::pair<FaultPoint, const char*> kPoints[] = {
      {FaultPoint::kPreEnqueue, "preEnqueue"}, {FaultPoint::kPreFilter, "preFilter"},
      {FaultPoint::kFilter, "filter"},         {FaultPoint::kPostFilter, "postFilter"},
      {FaultPoint::kPreScore, "preScore"},     {FaultPoint::kScore, "score"},
  };
  std::string text;
  for (const auto& [point, name] : kPoints)
    if (!rates.chaos_at[static_cast<size_t>(point)])
      text += std::string("\"") + name + R"(":{"disabled":[{"name":"Chaos"}]},)";
  // Preemption ends the point where it succeeds, so Chaos is asked before.
  if (rates.chaos_at[static_cast<size_t>(FaultPoint::kPostFilter)])
    text += R"("postFilter":{"disabled":[{"name":"*"}],
                             "enabled":[{"name":"Chaos"},{"name":"DefaultPreemption"}]},)";
  return text;
}

}  // namespace

config::Configuration configuration(const Rates& rates, const Faults& faults, const Rules& rules) {
  const bool groups = rates.group_members != 0;
  std::string text =
      R"({"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
          "profiles":[{"schedulerName":"default-scheduler","plugins":{
            "multiPoint":{"enabled":[{"name":"Chaos"})" +
      std::string(groups ? R"(,{"name":"Coscheduling"})" : "") +
      (rates.former_plugins ? R"(,{"name":"SelectorSpread"},{"name":"NodePreferAvoidPods"})" : "") +
      "]}," + left_out(rates) +
      (groups ? R"("queueSort":{"disabled":[{"name":"*"}],"enabled":[{"name":"Coscheduling"}]},)"
              : "") +
      R"("bind":{"disabled":[{"name":"*"}],
                 "enabled":[{"name":"Chaos"},{"name":"DefaultBinder"}]}},
          "pluginConfig":[{"name":"Chaos","args":{"faults":)" +
      std::to_string(reinterpret_cast<intptr_t>(&faults)) + "}}";
  if (groups)
    text += R"(,{"name":"Coscheduling","args":{"minMember":)" +
            std::to_string(rates.group_members) + R"(,"permitWaitingTimeSeconds":)" +
            std::to_string(rates.group_wait_seconds) + "}}";
  return config::parse(text + "]}]}", "config", rules);
}

}  // namespace berth::simulation
