#include "cli/replay/replay_json.h"

#include "cli/replay/replay_text.h"
#include "engine/base/text/go_duration.h"
#include "engine/output/scores_json.h"
#include "engine/output/utilisation_json.h"

namespace berth::cli {
namespace {

void write_first(document::PrettyJsonWriter& json, const FirstDifference& first) {
  json.object("first_difference", [&] {
    json.member("decision", first.decision);
    json.member("at", go_duration(first.at));
    json.member("pod", first.pod);
    json.member("recorded", first.recorded);
    json.member("now", first.now);
    write_cause(json, first.cause);
  });
}

}  // namespace

void write_cause(document::PrettyJsonWriter& json, const Cause& cause) {
  json.object("cause", [&] {
    json.member("decided_by", kind_name(cause.kind));
    json.member_if("plugin", cause.plugin);
    json.member_if("why", cause.why);
    if (cause.scores[0].empty()) return;
    json.array("scores_recorded", cause.scores[0],
               [&](const output::NodeScores& node) { output::write_node_scores(json, node); });
    json.array("scores_now", cause.scores[1],
               [&](const output::NodeScores& node) { output::write_node_scores(json, node); });
  });
}

void write_pods(document::PrettyJsonWriter& json, const ReplayedPods& pods) {
  json.object("pods", [&] {
    json.member("equal", pods.equal);
    json.member("elsewhere", pods.elsewhere);
    json.member("pending_here", pods.lost);
    json.member("pending_in_record", pods.won);
  });
  json.array("different", pods.different, [&](const ReplayedPods::Different& one) {
    json.object([&] {
      json.member("pod", one.pod);
      json.member("recorded", one.recorded);
      json.member("now", one.now);
      if (one.cause) write_cause(json, *one.cause);
    });
  });
}

std::string to_json(const JournalReplay& replay, const Journal& journal) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.object([&] {
    json.member("journal", journal.path());
    json.member("whole", journal.end().has_value());
    json.member("interrupted", replay.interrupted);
    json.member("decisions_recorded", replay.recorded);
    json.member("decisions", replay.decisions);
    json.member("decision_hash", replay.hash);
    json.member_if("decision_hash_recorded", replay.recorded_hash);
    json.member("errors_in_input", replay.errors_in_input);
    json.member("equal", !replay.differs());
    if (replay.first) write_first(json, *replay.first);
    write_pods(json, replay.pods);
    if (!replay.hash.empty()) output::write_utilisation(json, replay.resources);
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::cli
