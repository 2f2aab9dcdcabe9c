#include <chrono>

#include "cli/what_if/outcome.h"
#include "engine/document/json/json_writer.h"
#include "engine/output/spread_json.h"
#include "engine/output/utilisation_json.h"

namespace berth::cli {
namespace {

using WhatIfJson = document::PrettyJsonWriter;

double seconds_of(Time time) { return std::chrono::duration<double>(time).count(); }

void write_step(WhatIfJson& json, const StepOutcome& step) {
  json.object([&] {
    json.member("step", step.text);
    json.member("at", seconds_of(step.at));
    json.texts_if("nodes", step.nodes);
    json.member("pods_on_nodes", step.pods);
    json.object("pods_left", [&] {
      for (const auto& [reason, pods] : step.lost) json.member(reason, pods);
    });
  });
}

void write_change(WhatIfJson& json, const PodChange& change) {
  json.object([&] {
    json.member("pod", change.pod);
    json.member_if("owner", change.owner);
    json.member("fate", fate_name(change.fate));
    json.member_if("from_node", change.from_node);
    json.member_if("from_zone", change.from_zone);
    json.member_if("replaced_by", change.other);
    json.member_if("to_node", change.to_node);
    json.member_if("to_zone", change.to_zone);
    json.member_if("reason", change.reason);
    json.member_if("because", change.because);
    json.member_if("message", change.message);
    if (change.at) json.member("left_at", seconds_of(*change.at));
    if (change.bound) json.member("bound_at", seconds_of(*change.bound));
  });
}

void write_drain(WhatIfJson& json, const output::DrainResult& drain) {
  json.object([&] {
    json.member("node", drain.node);
    json.member("outcome", drain.outcome);
    json.member_if("message", drain.message);
    json.texts("evicted", drain.evicted);
    json.array("left", drain.left, [&](const output::DrainResult::Pod& pod) {
      json.object([&] {
        json.member("pod", pod.name);
        json.member_if("message", pod.message);
      });
    });
  });
}

void write_refusal(WhatIfJson& json, const BudgetRefusal& refusal) {
  json.object([&] {
    json.member("message", refusal.text);
    json.texts("pods", refusal.pods);
  });
}

void write_side(WhatIfJson& json, const WhatIf& answer, size_t side) {
  const RunFacts& run = answer.runs.runs[side];
  for (const auto& [name, value] : run.settings) json.member(name, value);
  if (run.summary) json.member("nodes", run.summary->nodes);
  json.member("pods_that_run", count_of(answer.pods[side], PodState::Kind::kRuns));
  json.member("pods_that_wait", count_of(answer.pods[side], PodState::Kind::kPending));
  json.object("why_pods_wait", [&] {
    for (const auto& [reason, pods] : pending_by_reason(answer.pods[side]))
      json.member(reason, pods);
  });
  json.object("pods_per_zone", [&] {
    for (const auto& [zone, pods] : answer.zones[side]) json.member(zone, pods);
  });
  json.member("stands_still_at", seconds_of(answer.ended[side]));
  if (run.summary) output::write_utilisation(json, run.summary->resources);
  output::write_spreads(json, run.spread);
}

}  // namespace

std::string to_json(const WhatIf& answer) {
  rapidjson::StringBuffer buffer;
  WhatIfJson json(buffer);
  json.SetIndent(' ', 2);
  json.object([&] {
    json.member("pods_worse_off", answer.worse());
    json.member("drains_not_done", answer.drains_undone());
    if (answer.partial) json.member("partial", true);
    json.member("pods_left", answer.lost());
    json.member("pods_left_for_other_reasons", answer.lost_otherwise);
    const std::optional<Time> last = answer.last_bound();
    if (last && answer.worse() == 0 && !answer.steps.empty())
      json.member("runs_again_after", seconds_of(*last - answer.steps.front().at));
    json.array("steps", answer.steps, [&](const StepOutcome& step) { write_step(json, step); });
    json.object("before", [&] { write_side(json, answer, 0); });
    json.object("after", [&] { write_side(json, answer, 1); });
    json.array("drains", answer.drains,
               [&](const output::DrainResult& drain) { write_drain(json, drain); });
    json.array("refused_by_budgets", answer.refusals,
               [&](const BudgetRefusal& refusal) { write_refusal(json, refusal); });
    json.array("pods", answer.changes,
               [&](const PodChange& change) { write_change(json, change); });
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::cli
