#include "cli/replay/record_text.h"

#include <fmt/format.h>

#include "cli/replay/replay_json.h"
#include "cli/replay/replay_text.h"
#include "engine/base/text/go_duration.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/output/utilisation_json.h"

namespace berth::cli {
namespace {

// The pods that are not compared, and why.
std::string left_out_text(const RecordReplay& replay) {
  std::string text;
  if (replay.in_place != 0)
    text += fmt::format("pods that the record tells of with their node alone: {}\n",
                        grouped(replay.in_place));
  if (replay.begun_elsewhere != 0)
    text += fmt::format("equal if the search begins at another node, which no record tells: {}\n",
                        grouped(replay.begun_elsewhere));
  if (replay.of_other_profiles != 0)
    text +=
        fmt::format("pods that no profile here serves: {}\n", grouped(replay.of_other_profiles));
  return text;
}

std::string audit_text(const ingest::AuditCounts& counts) {
  std::string text = fmt::format("audit log: {} of {} changed an object\n", grouped(counts.taken),
                                 plural(counts.events, "event"));
  const auto line = [&](uint64_t count, const char* what) {
    if (count != 0) text += fmt::format("  {}: {}\n", what, grouped(count));
  };
  line(counts.metadata_only,
       "without the object, which a policy of level Request or RequestResponse logs");
  line(counts.unknown, "about objects of which the log did not tell before");
  line(counts.collections, "deletions of many objects, which are not named");
  line(counts.malformed, "lines that are no audit event");
  return text;
}

std::string first_binding_text(const RecordReplay& replay) {
  if (replay.first == 0) return {};
  const ReplayedPods::Different& first = replay.pods.different.front();
  std::string text = fmt::format("first difference: binding {} at {}, {}\n", grouped(replay.first),
                                 go_duration(replay.first_at), printable(first.pod));
  text += fmt::format("  recorded  on {}\n  here      {}\n", printable(first.recorded),
                      first.now.empty() ? "refused" : "on " + printable(first.now));
  return text + fmt::format("  {}\n\n", printable(cause_text(*first.cause)));
}

void write_audit(document::PrettyJsonWriter& json, const ingest::AuditCounts& counts) {
  json.object("audit_log", [&] {
    json.member("events", counts.events);
    json.member("taken", counts.taken);
    json.member("metadata_only", counts.metadata_only);
    json.member("of_unknown_objects", counts.unknown);
    json.member("collections", counts.collections);
    json.member("malformed", counts.malformed);
  });
}

}  // namespace

std::string to_text(const FollowedRecord& record, size_t most) {
  const RecordReplay& replay = record.replay;
  std::string text =
      fmt::format("{}: {} recorded\n", printable(record.path), plural(replay.bindings, "binding"));
  if (record.audit) text += audit_text(*record.audit);
  if (replay.interrupted) text += fmt::format("{}\n", kInterruptedText);
  text += left_out_text(replay);
  if (replay.asked == 0) return text + fmt::format("{}\n", kNothingAsked);
  if (!replay.differs()) text += "every binding is as our rules have it\n";
  return text + first_binding_text(replay) + pods_text(replay.pods, most);
}

std::string to_json(const FollowedRecord& record) {
  const RecordReplay& replay = record.replay;
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.object([&] {
    json.member("record", record.path);
    json.member("interrupted", replay.interrupted);
    json.member("bindings", replay.bindings);
    json.member("pods_with_their_node_alone", replay.in_place);
    json.member("searches_begun_elsewhere", replay.begun_elsewhere);
    json.member("pods_of_other_profiles", replay.of_other_profiles);
    json.member("errors_in_input", replay.errors_in_input);
    if (record.audit) write_audit(json, *record.audit);
    json.member("equal", !replay.differs());
    if (replay.first != 0) json.member("first_difference_at", go_duration(replay.first_at));
    write_pods(json, replay.pods);
    output::write_utilisation(json, replay.resources);
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::cli
