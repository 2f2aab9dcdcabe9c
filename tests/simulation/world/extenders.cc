#include "tests/simulation/world/extenders.h"

namespace berth::simulation {
namespace {

constexpr char kName[] = "simulated";
constexpr char kDown[] = "the extender is down";
constexpr char kTimedOut[] = "the extender has timed out";

}  // namespace

FaultyExtenders::Fault FaultyExtenders::draw_fault() {
  if (healed_) return Fault::kNone;
  if (dice_.chance(rates_.extender_errors)) {
    marks_.hit(Mark::kExtenderError);
    return Fault::kError;
  }
  if (!dice_.chance(rates_.extender_timeouts)) return Fault::kNone;
  marks_.hit(Mark::kExtenderTimeout);
  return Fault::kTimeout;
}

std::optional<std::string> FaultyExtenders::failure() {
  const Fault fault = draw_fault();
  if (fault == Fault::kNone || rates_.extenders_ignorable) return std::nullopt;
  return fault == Fault::kError ? kDown : kTimedOut;
}

framework::ExtenderFilter FaultyExtenders::filter(const model::PodRecord&,
                                                  std::vector<model::Row> rows) {
  framework::ExtenderFilter answer;
  if (const auto error = failure()) {
    answer.error = *error;
    return answer;
  }
  for (const model::Row row : rows) {
    if (healed_ || !dice_.chance(rates_.extender_refusals)) {
      answer.rows.push_back(row);
      continue;
    }
    const uint8_t code =
        dice_.chance(70) ? BERTH_UNSCHEDULABLE : BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    answer.refused.push_back({std::string(cluster_->node_name(row)), code, "the extender says no"});
  }
  return answer;
}

std::vector<framework::ExtenderScores> FaultyExtenders::prioritize(
    const model::PodRecord&, const std::vector<model::Row>& rows) {
  if (draw_fault() != Fault::kNone) return {};
  framework::ExtenderScores scores{kName, {}};
  for (const model::Row row : rows) scores.weighted.emplace_back(row, dice_.number(0, 100));
  return {scores};
}

framework::ExtenderPreemption FaultyExtenders::preempt(
    const model::PodRecord&, std::vector<framework::ExtenderVictims> candidates) {
  if (const auto error = failure()) return {{}, *error};
  return {std::move(candidates), {}};
}

// The core writes the bindings of extenders that succeed to its sink, which is the server.
framework::ExtenderBinding FaultyExtenders::bind(const model::PodRecord& pod,
                                                 std::string_view node) {
  const bool interested = cluster_->text(pod.name).back() % 2 == 0;
  if (!interested) return {};
  const Fault fault = draw_fault();
  if (fault == Fault::kNone) return {kName, {}};
  if (fault == Fault::kTimeout && dice_.chance(60))
    server_.bind_unanswered(pod, std::string(node), dice_.chance(50));
  if (rates_.extenders_ignorable) return {};
  return {kName, fault == Fault::kError ? kDown : kTimedOut};
}

}  // namespace berth::simulation
