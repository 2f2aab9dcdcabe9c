#include "engine/output/summary.h"

#include "engine/document/json/json_writer.h"
#include "engine/output/recovery_json.h"
#include "engine/output/summary_parts.h"

namespace berth::output {
namespace {

using document::PrettyJsonWriter;

void write_counts(PrettyJsonWriter& json, std::string_view name,
                  const std::map<std::string, uint64_t>& counts) {
  json.key(name);
  json.StartObject();
  for (const auto& [key, count] : counts) json.member(key, count);
  json.EndObject();
}

// One array for the times and one for each queue, each on one line.
void write_queues(PrettyJsonWriter& json, const std::vector<QueueSizes>& samples) {
  json.object("waiting", [&] {
    for (const auto& [name, size] : kQueues)
      json.member(name, samples.empty() ? uint64_t{0} : samples.back().*size);
  });
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.object("waiting_over_time", [&] {
    json.array("seconds", samples, [&](const QueueSizes& at) { json.Double(at.seconds); });
    for (const auto& [name, size] : kQueues)
      json.array(name, samples, [&, of = size](const QueueSizes& at) { json.Uint64(at.*of); });
  });
  json.SetFormatOptions(rapidjson::kFormatDefault);
}

void write_waits(PrettyJsonWriter& json, const Summary& s) {
  write_distribution(json, "attempts_per_pod", s.attempts_per_pod);
  write_distribution(json, "queue_to_bound_seconds", s.queue_to_bound_seconds);
  json.member("backoffs", s.backoffs);
  write_distribution(json, "victims_per_preemption", s.victims_per_preemption);
  write_queues(json, s.queues);
  if (!s.recovery) return;
  write_recovery(json, *s.recovery);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  write_evictions_over_time(json, s.queues);
  json.SetFormatOptions(rapidjson::kFormatDefault);
}

void write_pods(PrettyJsonWriter& json, const Summary& s) {
  json.member("pods_total", s.pods_total);
  json.member("pods_scheduled", s.pods_scheduled);
  json.member("pods_held", s.pods_held);
  json.member("pods_unschedulable", s.pods_unschedulable);
  json.member("pods_failed", s.pods_failed);
  json.member("pods_gated", s.pods_gated);
  json.member("pods_ignored", s.pods_ignored);
  json.member("pods_already_placed", s.pods_already_placed);
  json.member("pods_finished", s.pods_finished);
  json.member("pods_terminating", s.pods_terminating);
  json.member("pods_bound_by_another", s.pods_bound_by_another);
  json.member("pods_deleted", s.pods_deleted);
  json.member("pods_rejected", s.pods_rejected);
  json.member("pods_untried", s.pods_untried);
  json.member("attempts", s.decisions);
  json.member("nominations", s.nominations);
  json.member("pods_evicted", s.pods_evicted);
  json.member("pods_disrupted", s.pods_disrupted);
  if (s.oom_kills != 0) json.member("oom_kills", s.oom_kills);
  if (s.pods_succeeded + s.pods_exited_with_error != 0) {
    json.member("pods_succeeded", s.pods_succeeded);
    json.member("pods_exited_with_error", s.pods_exited_with_error);
  }
  if (s.nodes_drained + s.nodes_not_drained != 0) {
    json.member("nodes_drained", s.nodes_drained);
    json.member("nodes_not_drained", s.nodes_not_drained);
  }
  json.member("clock", s.clock);
  json.member("virtual_seconds", s.virtual_seconds);
}

void write_remark(PrettyJsonWriter& json, std::string_view name, const PodsWithRemark& pods) {
  json.key(name);
  json.StartObject();
  json.member("count", pods.count);
  json.texts("examples", pods.examples);
  json.EndObject();
}

void write_resources(PrettyJsonWriter& json, const std::vector<ResourceUse>& resources) {
  json.key("resources");
  json.StartObject();
  for (const ResourceUse& use : resources) {
    json.key(use.resource);
    json.StartObject();
    json.member("requested", use.requested);
    json.member("allocatable", use.allocatable);
    json.member("utilisation", fraction(use));
    json.EndObject();
  }
  json.EndObject();
}

void write_calls(PrettyJsonWriter& json, const std::vector<PluginCalls>& calls) {
  json.key("plugin_calls");
  json.StartArray();
  for (const PluginCalls& hook : calls) {
    json.StartObject();
    json.member("plugin", hook.plugin);
    json.member("extension_point", hook.hook);
    json.member("calls", hook.calls);
    json.member("errors", hook.errors);
    json.member("sampled_seconds_per_call", hook.sampled_seconds_per_call);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

std::string to_json(const Summary& s) {
  rapidjson::StringBuffer buffer;
  PrettyJsonWriter json(buffer);
  json.SetIndent(' ', 2);
  json.StartObject();
  json.member("interrupted", s.interrupted);
  json.member("error", s.error);
  json.member("nodes", s.nodes);
  json.member("pods_placed_before", s.pods_placed_before);
  json.member("pods_waiting_in_cluster", s.pods_waiting_in_cluster);
  json.member("pods_finished_in_cluster", s.pods_finished_in_cluster);
  write_pods(json, s);
  write_waits(json, s);
  json.member("events", s.events);
  json.member("errors_in_input", s.errors_in_input);
  write_counts(json, "unread_kinds", s.unread_kinds);
  write_counts(json, "unknown_fields", s.unknown_fields);
  write_remark(json, "pods_with_resource_claims", s.pods_with_resource_claims);
  write_remark(json, "pods_without_priority", s.pods_without_priority);
  json.member("load_seconds", s.load_seconds);
  json.member("elapsed_seconds", s.elapsed_seconds);
  json.member("pods_per_second", s.pods_per_second);
  write_distribution(json, "latency_seconds", s.latency);
  json.member("threads", int64_t{s.threads});
  json.member("rows_off_main_thread", s.rows_off_main_thread);
  json.member("rankings", s.rankings);
  json.member("ranking_bytes", s.ranking_bytes);
  json.member("ranking_bytes_limit", s.ranking_bytes_limit);
  json.member("rankings_evicted", s.rankings_evicted);
  json.member("rankings_evicted_for_memory", s.rankings_evicted_for_memory);
  json.member("decisions_verified", s.decisions_verified);
  json.member("decisions_not_compared", s.decisions_not_compared);
  json.member("kube_version", s.kube_version);
  json.member("seed", s.seed);
  json.member("decision_hash", s.decision_hash);
  json.member("bindings_file", s.bindings_file);
  json.member("results_file", s.results_file);
  json.member("events_file", s.events_file);
  write_resources(json, s.resources);
  write_counts(json, "pods_per_zone", s.pods_per_zone);
  write_counts(json, "unschedulable_messages", s.messages);
  write_counts(json, "failures", s.failures);
  json.member("failed_attempts", s.failed_attempts);
  json.member("gave_up_after_seconds", s.gave_up_after_seconds);
  write_calls(json, s.calls);
  write_plugin_metrics(json, s.metrics);
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace berth::output
