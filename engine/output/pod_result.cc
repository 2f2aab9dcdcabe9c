#include "engine/output/pod_result.h"

#include "engine/document/json/json_writer.h"
#include "engine/output/scores_json.h"

namespace berth::output {
namespace {

using document::JsonWriter;

void write_time(JsonWriter& json, std::string_view key, std::optional<Time> time) {
  if (time) json.member(key, std::chrono::duration<double>(*time).count());
}

void write_times(JsonWriter& json, const PodResult& result) {
  json.member("attempts", result.attempts);
  write_time(json, "arrived_seconds", result.arrived);
  write_time(json, "queued_seconds", result.queued);
  write_time(json, "tried_seconds", result.tried);
  write_time(json, "bound_seconds", result.bound);
  write_time(json, "finished_seconds", result.finished);
  write_time(json, "backoff_until_seconds", result.backoff_until);
}

}  // namespace

std::string to_json_line(const PodResult& result) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("namespace", result.namespace_name);
    json.member("name", result.name);
    json.member("outcome", result.outcome);
    json.member_if("node", result.node);
    json.member_if("message", result.message);
    json.texts_if("refused_by", result.refused_by);
    json.member_if("queue", result.queue);
    json.member_if("nominated_node", result.nominated_node);
    json.member_if("evicted_by", result.evicted_by);
    json.member_if("evicted_because", result.evicted_because);
    json.member_if("evicted_for", result.evicted_for);
    json.texts_if("victims", result.victims);
    if (result.gone) json.member("gone", true);
    if (result.terminating) json.member("terminating", true);
    if (result.failed) json.member("phase", "Failed");
    if (result.exit_code) {
      json.member("phase", *result.exit_code == 0 ? "Succeeded" : "Failed");
      json.member("exit_code", *result.exit_code);
    }
    write_times(json, result);
    if (result.from_batch) json.member("from_batch", true);
    json.array_if("scores", result.scores,
                  [&](const NodeScores& scores) { write_node_scores(json, scores); });
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string to_json_line(const EvictionResult& result) {
  constexpr int32_t kRefused = 400;
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("namespace", result.namespace_name);
    json.member("name", result.name);
    json.member("outcome", result.code < kRefused ? "eviction_allowed" : "eviction_refused");
    if (result.dry_run) json.member("dry_run", true);
    json.member("code", result.code);
    json.member_if("message", result.message);
    json.texts_if("causes", result.causes);
    write_time(json, "at_seconds", result.at);
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string to_json_line(const DrainResult& result) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("node", result.node);
    json.member("outcome", result.outcome);
    json.member_if("message", result.message);
    json.texts_if("evicted", result.evicted);
    json.array_if("left", result.left, [&](const DrainResult::Pod& pod) {
      json.object([&] {
        json.member("pod", pod.name);
        json.member_if("message", pod.message);
      });
    });
    write_time(json, "began_seconds", result.began);
    write_time(json, "ended_seconds", result.ended);
  });
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::output
