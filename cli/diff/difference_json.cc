#include "cli/diff/difference.h"
#include "engine/document/json/json_writer.h"
#include "engine/output/scores_json.h"
#include "engine/output/spread_json.h"
#include "engine/output/utilisation_json.h"

namespace berth::cli {
namespace {

using Json = document::PrettyJsonWriter;

void write_result(Json& json, const output::PodResult& result) {
  json.member("outcome", result.outcome);
  json.member_if("node", result.node);
  json.member_if("message", result.message);
  json.texts_if("refused_by", result.refused_by);
  json.member_if("nominated_node", result.nominated_node);
  json.member_if("evicted_by", result.evicted_by);
  json.member_if("evicted_because", result.evicted_because);
}

constexpr std::array<const char*, 2> kKeys = {"a", "b"};

void write_pod(Json& json, const PodDifference& pod) {
  json.object([&] {
    json.member("pod", pod.pod);
    json.member("change", change_name(pod.change));
    for (size_t side = 0; side < kKeys.size(); ++side)
      if (pod.results[side] != nullptr)
        json.object(kKeys[side], [&] { write_result(json, *pod.results[side]); });
    json.member("decided_by", kind_name(pod.cause.kind));
    json.member_if("plugin", pod.cause.plugin);
    json.member_if("why", pod.cause.why);
    json.member_if("b_takes_in_cluster_of_a", pod.cause.taken);
    if (!pod.cause.exact) json.member("exact", false);
    if (pod.cause.scores[0].empty() && pod.cause.scores[1].empty()) return;
    json.object("scores", [&] {
      for (size_t side = 0; side < kKeys.size(); ++side)
        json.array(kKeys[side], pod.cause.scores[side],
                   [&](const output::NodeScores& node) { output::write_node_scores(json, node); });
    });
  });
}

void write_group(Json& json, const DifferenceGroup& group, const Difference& difference) {
  json.object([&] {
    json.member("decided_by", kind_name(group.kind));
    json.member_if("plugin", group.plugin);
    json.member("pods", uint64_t{group.pods.size()});
    json.member("first", difference.pods[group.pods.front()].pod);
  });
}

void write_run(Json& json, const RunFacts& run) {
  json.object("settings", [&] {
    for (const auto& [name, value] : run.settings) json.member(name, value);
  });
  json.object("outcomes", [&] {
    for (const auto& [outcome, pods] : run.outcomes) json.member(outcome, pods);
  });
  if (!run.summary) return;
  json.member("decision_hash", run.summary->decision_hash);
  json.member("attempts", run.summary->decisions);
  output::write_utilisation(json, run.summary->resources);
  output::write_spreads(json, run.spread);
}

}  // namespace

std::string to_json(const Difference& difference) {
  rapidjson::StringBuffer buffer;
  Json json(buffer);
  json.SetIndent(' ', 2);
  json.object([&] {
    json.member("pods_compared", uint64_t{difference.pods_compared});
    json.member("pods_different", uint64_t{difference.pods.size()});
    json.member("recorded", difference.recorded);
    if (difference.partial) json.member("partial", true);
    json.object("changes", [&] {
      for (const auto& [change, pods] : difference.changes())
        json.member(change_name(change), pods);
    });
    json.array("decided_by", difference.groups,
               [&](const DifferenceGroup& group) { write_group(json, group, difference); });
    json.array("pods", difference.pods, [&](const PodDifference& pod) { write_pod(json, pod); });
    for (size_t side = 0; side < kKeys.size(); ++side)
      json.object(kKeys[side], [&] { write_run(json, difference.runs[side]); });
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::cli
