#include "engine/runtime/report.h"

namespace berth::runtime {

const char* outcome_name(PodOutcome outcome) {
  constexpr const char* kNames[] = {"scheduled", "unschedulable", "error", "gated", "ignored"};
  return kNames[static_cast<size_t>(outcome)];
}

std::optional<PodOutcome> outcome_of(const Report& report) {
  using Outcome = std::optional<PodOutcome>;
  return std::visit(Match{
                        [](const Scheduled&) -> Outcome { return PodOutcome::kScheduled; },
                        [](const Refused&) -> Outcome { return PodOutcome::kUnschedulable; },
                        [](const Failed&) -> Outcome { return PodOutcome::kError; },
                        [](const Gated&) -> Outcome { return PodOutcome::kGated; },
                        [](const Ignored&) -> Outcome { return PodOutcome::kIgnored; },
                        [](const auto&) -> Outcome { return std::nullopt; },
                    },
                    report);
}

model::PodId pod_of(const Report& report) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.pod; })
          return one.pod;
        else
          return model::PodId{};
      },
      report);
}

const framework::Decision* decision_of(const Report& report) {
  return std::visit(
      [](const auto& one) -> const framework::Decision* {
        if constexpr (requires { one.decision; })
          return one.decision;
        else
          return nullptr;
      },
      report);
}

}  // namespace berth::runtime
