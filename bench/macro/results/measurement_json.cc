#include "bench/macro/results/measurement_json.h"

#include <algorithm>
#include <map>

#include "engine/document/json/json_writer.h"
#include "engine/output/distribution.h"
#include "engine/output/plugin_metric.h"
#include "engine/output/recovery_json.h"
#include "engine/output/spread_json.h"

namespace berth::bench {
namespace {

using document::JsonWriter;

void numbers(JsonWriter& json, std::string_view name, const std::vector<double>& values) {
  json.array(name, values, [&](double value) { json.Double(value); });
}
void numbers(JsonWriter& json, std::string_view name, const std::vector<uint64_t>& values) {
  json.array(name, values, [&](uint64_t value) { json.Uint64(value); });
}

void quantiles(JsonWriter& json, std::string_view name, const Times& times) {
  const auto seconds = [&](double value) { return times.unit * value; };
  output::write_distribution(json, name, output::distribution(times.histogram, seconds));
}

void buckets(JsonWriter& json, std::string_view name, const Times& times) {
  const auto held = times.histogram.buckets();
  json.object(name, [&] {
    json.array("upper_seconds", held, [&](const auto& bucket) {
      json.Double(times.unit * static_cast<double>(bucket.first));
    });
    json.array("counts", held, [&](const auto& bucket) { json.Uint64(bucket.second); });
  });
}

void write_pods(JsonWriter& json, const Measurement& m) {
  json.member("nodes", m.nodes);
  json.member("pods_before", m.pods_before);
  json.member("pods_total", m.pods_total);
  json.member("pods_scheduled", m.pods_scheduled);
  json.member("pods_unschedulable", m.pods_unschedulable);
  json.member("pods_failed", m.pods_failed);
  json.member("pods_gated", m.pods_gated);
  json.member("pods_ignored", m.pods_ignored);
  json.member("pods_bound", m.pods_bound);
  json.member("pods_evicted", m.pods_evicted);
  json.member("preemptions", m.preemptions);
  json.member("victims", m.victims);
  json.member("backoffs", m.backoffs);
  json.object("attempts", [&] {
    numbers(json, "bound", m.attempts_of_bound);
    numbers(json, "waiting", m.attempts_of_waiting);
  });
  json.member("decisions", m.decisions);
  json.member("decisions_of_all", m.decisions_of_all);
  json.member("rankings", m.rankings);
  json.member("ranking_bytes", m.ranking_bytes);
  json.member("ranking_bytes_limit", m.ranking_bytes_limit);
  json.member("rankings_evicted", m.rankings_evicted);
  json.member("rankings_evicted_for_memory", m.rankings_evicted_for_memory);
  json.member("rows_off_main_thread", m.rows_off_main);
  json.member("decisions_verified", m.decisions_verified);
  json.member("decisions_not_compared", m.decisions_not_compared);
  json.member("decision_hash", m.decision_hash);
  json.texts("failures", m.failures);
}

void write_times(JsonWriter& json, const Measurement& m) {
  json.member("elapsed_seconds", m.elapsed_seconds);
  if (m.elapsed_seconds > 0) {
    json.member("decisions_per_second", static_cast<double>(m.decisions) / m.elapsed_seconds);
    if (m.decisions != 0)
      json.member("seconds_per_decision", m.elapsed_seconds / static_cast<double>(m.decisions));
    json.member("pods_bound_per_second", static_cast<double>(m.pods_bound) / m.elapsed_seconds);
  }
  if (m.decision.histogram.count() != 0) quantiles(json, "latency_seconds", m.decision);
  if (m.first_decision.histogram.count() != 0)
    quantiles(json, "latency_first_seconds", m.first_decision);
  if (m.steady_decision.histogram.count() != 0)
    quantiles(json, "latency_steady_seconds", m.steady_decision);
  const bool waits = m.queue_to_bound && m.queue_to_bound->histogram.count() != 0;
  if (waits) quantiles(json, "queue_to_bound_seconds", *m.queue_to_bound);
  const bool lives = m.queue_to_bound_virtual.histogram.count() != 0;
  if (lives) quantiles(json, "queue_to_bound_virtual_seconds", m.queue_to_bound_virtual);
  json.object("histograms", [&] {
    if (m.decision.histogram.count() != 0) buckets(json, "decision", m.decision);
    if (waits) buckets(json, "queue_to_bound", *m.queue_to_bound);
    if (lives) buckets(json, "queue_to_bound_virtual", m.queue_to_bound_virtual);
  });
}

void write_costs(JsonWriter& json, const Measurement& m) {
  json.object("cpu_seconds", [&] {
    json.member("user", m.user_seconds);
    json.member("system", m.system_seconds);
    json.member("total", m.user_seconds + m.system_seconds);
  });
  if (m.peak_memory_bytes) json.member("peak_memory_bytes", *m.peak_memory_bytes);
  if (m.bytes_per_node) json.member("bytes_per_node", *m.bytes_per_node);
  if (m.bytes_per_pod) json.member("bytes_per_pod", *m.bytes_per_pod);
  if (m.allocations_per_decision)
    json.member("allocations_per_decision", *m.allocations_per_decision);
  if (m.instructions_per_decision) {
    json.member("instructions_per_decision", *m.instructions_per_decision);
  } else {
    json.member("instructions_not_counted", m.no_instructions);
  }
}

// Pods are gated and sorted before their decision and bound in batches after it, so these points
// are not part of a decision's time.
bool beside_decisions(std::string_view point) {
  for (const char* name : {"PreEnqueue", "QueueSort", "PreBind", "Bind", "PostBind"})
    if (point == name) return true;
  return false;
}

void write_hooks(JsonWriter& json, const Measurement& m) {
  json.array("hooks", m.hooks, [&](const HookCost& hook) {
    json.object([&] {
      json.member("plugin", hook.plugin);
      json.member("extension_point", hook.extension_point);
      json.member("calls", hook.calls);
      json.member("errors", hook.errors);
      json.member("seconds_per_call", hook.seconds_per_call);
      json.member("seconds_per_decision", hook.seconds_per_decision);
    });
  });
  output::write_plugin_metrics(json, m.metrics);
  std::vector<std::pair<std::string, double>> points;  // in the order of their first hook
  for (const HookCost& hook : m.hooks) {
    auto at = std::find_if(points.begin(), points.end(),
                           [&](const auto& point) { return point.first == hook.extension_point; });
    if (at == points.end()) at = points.insert(points.end(), {hook.extension_point, 0});
    at->second += hook.seconds_per_decision;
  }
  // "(engine)" is the part of a decision that no plugin takes.
  double rest = m.decision.unit * m.decision.histogram.mean();
  for (const auto& point : points)
    if (!beside_decisions(point.first)) rest -= point.second;
  if (!points.empty()) points.emplace_back("(engine)", std::max(0.0, rest));
  json.array("extension_points", points, [&](const auto& point) {
    json.object([&] {
      json.member("extension_point", point.first);
      json.member("seconds_per_decision", point.second);
    });
  });
}

// Decisions per second between consecutive samples.
std::vector<double> rates(const Series& series) {
  std::vector<double> rates(series.time_seconds.size());
  for (size_t i = 1; i < rates.size(); ++i) {
    const double passed = series.time_seconds[i] - series.time_seconds[i - 1];
    if (passed > 0)
      rates[i] = static_cast<double>(series.decisions[i] - series.decisions[i - 1]) / passed;
  }
  if (rates.size() > 1) rates[0] = rates[1];
  return rates;
}

void write_series(JsonWriter& json, const Series& series) {
  if (series.time_seconds.size() < 2) return;
  json.object("series", [&] {
    numbers(json, "time_seconds", series.time_seconds);
    numbers(json, "decisions", series.decisions);
    numbers(json, "decisions_per_second", rates(series));
    numbers(json, "waiting", series.waiting);
    numbers(json, "scheduled", series.scheduled);
    numbers(json, "refused", series.refused);
    numbers(json, "run_seconds", series.run_seconds);
    numbers(json, "bound", series.bound);
    numbers(json, "preemptions", series.preemptions);
    numbers(json, "victims", series.victims);
    json.object("queues", [&] {
      numbers(json, "active", series.active);
      numbers(json, "backoff", series.backoff);
      numbers(json, "error_backoff", series.error_backoff);
      numbers(json, "unschedulable", series.unschedulable);
      numbers(json, "gated", series.gated);
      numbers(json, "permit", series.permit);
    });
    json.array("reasons", series.reasons, [&](const ReasonSeries& reason) {
      json.object([&] {
        json.member("reason", reason.reason);
        numbers(json, "refused", reason.refused);
      });
    });
  });
}

std::string base64(const std::vector<uint8_t>& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t held = std::min<size_t>(3, bytes.size() - i);
    uint32_t word = uint32_t{bytes[i]} << 16;
    if (held > 1) word |= uint32_t{bytes[i + 1]} << 8;
    if (held > 2) word |= bytes[i + 2];
    for (size_t digit = 0; digit < 4; ++digit)
      text += digit <= held ? kDigits[word >> (18 - 6 * digit) & 63] : '=';
  }
  return text;
}

void write_evictions(JsonWriter& json, const Measurement& m) {
  if (!m.recovery) return;
  json.member("pods_disrupted", m.pods_disrupted);
  output::write_recovery(json, *m.recovery);
  output::write_evictions_over_time(json, m.queues);
}

void write_grid(JsonWriter& json, const Grid& grid) {
  if (grid.frames.empty() || grid.groups.empty()) return;
  json.object("grid", [&] {
    json.member("resource", "cpu");
    json.member("nodes", grid.nodes);
    json.member("nodes_per_cell", grid.nodes_per_cell);
    json.array("groups", grid.groups, [&](const Grid::Group& group) {
      json.object([&] {
        json.member("name", group.name);
        json.member("cells", group.cells);
      });
    });
    numbers(json, "time_seconds", grid.time_seconds);
    json.array("frames", grid.frames,
               [&](const std::vector<uint8_t>& frame) { json.text(base64(frame)); });
  });
}

double part(int64_t some, int64_t all) {
  return all <= 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

void write_quality(JsonWriter& json, const Quality& quality) {
  json.object("quality", [&] {
    json.array("utilisation", quality.utilisation, [&](const output::ResourceUse& use) {
      json.object([&] {
        json.member("resource", use.resource);
        json.member("requested", use.requested);
        json.member("allocatable", use.allocatable);
        json.member("fraction", part(use.requested, use.allocatable));
      });
    });
    json.array("fragmentation", quality.fragmentation, [&](const Fragmentation& of) {
      json.object([&] {
        json.member("resource", of.resource);
        json.member("free", of.free);
        json.member("unusable", of.unusable);
        json.member("fraction", part(of.unusable, of.free));
      });
    });
    json.array("balance", quality.balance, [&](const Balance& of) {
      json.object([&] {
        json.member("resource", of.resource);
        json.member("mean", of.mean);
        json.member("standard_deviation", of.standard_deviation);
        json.member("max", of.maximum);
      });
    });
    output::write_spreads(json, quality.spread);
  });
}

}  // namespace

std::string to_json(const Measurement& m) {
  rapidjson::StringBuffer buffer;
  JsonWriter json(buffer);
  json.object([&] {
    json.member("note", m.note);
    json.member("interrupted", m.interrupted);
    write_pods(json, m);
    write_times(json, m);
    write_costs(json, m);
    write_hooks(json, m);
    write_series(json, m.series);
    write_evictions(json, m);
    write_grid(json, m.grid);
    write_quality(json, m.quality);
    if (m.trace_events_dropped != 0) json.member("trace_events_dropped", m.trace_events_dropped);
  });
  return std::string(buffer.GetString(), buffer.GetSize());
}

}  // namespace berth::bench
