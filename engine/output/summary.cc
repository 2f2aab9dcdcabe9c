#include "engine/output/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/document/json/json_writer.h"

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

struct Queue {
  const char* name;
  uint64_t QueueSizes::*size;
};
constexpr Queue kQueues[] = {{"active", &QueueSizes::active},
                             {"backoff", &QueueSizes::backoff},
                             {"unschedulable", &QueueSizes::unschedulable},
                             {"gated", &QueueSizes::gated},
                             {"permit", &QueueSizes::permit}};

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

double fraction(const ResourceUse& use) {
  return use.allocatable <= 0
             ? 0
             : static_cast<double>(use.requested) / static_cast<double>(use.allocatable);
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

std::string amount(const ResourceUse& use, int64_t value) {
  if (use.resource == "cpu") return fmt::format("{:.1f} cores", static_cast<double>(value) / 1000);
  bool bytes = use.resource == "memory" || use.resource == "ephemeral-storage" ||
               use.resource.starts_with("hugepages-");
  if (!bytes) return grouped(static_cast<uint64_t>(std::max<int64_t>(value, 0)));
  return fmt::format("{:.1f} GiB", static_cast<double>(value) / (1024.0 * 1024 * 1024));
}

std::string bar(double part, int width) {
  const int full = std::clamp(static_cast<int>(part * width + 0.5), 0, width);
  return std::string(static_cast<size_t>(full), '#') +
         std::string(static_cast<size_t>(width - full), '.');
}

class Page {
 public:
  explicit Page(int width) : width_(std::max(width, 60)) {}

  void line(std::string_view label, const std::string& value) {
    line(fmt::format("  {:<24}{}", printable(label), value));
  }
  void line(const std::string& text) { text_ += printable(text) + "\n"; }
  void heading(std::string_view title) { text_ += fmt::format("\n{}\n", title); }
  int bar_width() const { return std::min(30, width_ - 50); }
  std::string take() { return std::move(text_); }

 private:
  int width_;
  std::string text_;
};

void pods(Page& page, const Summary& s) {
  page.heading("Pods");
  page.line("arrived", grouped(s.pods_total));
  page.line("scheduled", grouped(s.pods_scheduled));
  const std::pair<const char*, uint64_t> rest[] = {{"held, not bound", s.pods_held},
                                                   {"unschedulable", s.pods_unschedulable},
                                                   {"failed", s.pods_failed},
                                                   {"gated", s.pods_gated},
                                                   {"for other schedulers", s.pods_ignored},
                                                   {"already placed", s.pods_already_placed},
                                                   {"finished, skipped", s.pods_finished},
                                                   {"terminating, skipped", s.pods_terminating},
                                                   {"bound by another", s.pods_bound_by_another},
                                                   {"deleted while waiting", s.pods_deleted},
                                                   {"rejected", s.pods_rejected},
                                                   {"not tried", s.pods_untried},
                                                   {"nominated to a node", s.nominations},
                                                   {"evicted by preemption", s.pods_evicted}};
  for (const auto& [label, count] : rest)
    if (count != 0) page.line(label, grouped(count));
}

// The first sample, the last, and few between them.
void queues(Page& page, const std::vector<QueueSizes>& samples) {
  constexpr size_t kRows = 6;
  if (samples.empty()) return;
  page.heading("Pods waiting, by queue");
  std::string head = fmt::format("  {:<14}", "clock");
  for (const Queue& queue : kQueues) head += fmt::format("{:>14}", queue.name);
  page.line(head);
  const size_t rows = std::min(kRows, samples.size());
  for (size_t row = 0; row < rows; ++row) {
    const size_t last = samples.size() - 1;
    const QueueSizes& at = samples[rows == 1 ? last : row * last / (rows - 1)];
    std::string line = fmt::format("  {:<14}", duration_text(at.seconds));
    for (const Queue& queue : kQueues) line += fmt::format("{:>14}", grouped(at.*queue.size));
    page.line(line);
  }
}

// "mean 1.2   p50 1   p99 2   max 3"
template <typename Text>
std::string distribution(const Distribution& of, Text&& text) {
  return fmt::format("mean {}   p50 {}   p90 {}   p99 {}   max {}", text(of.mean), text(of.p50),
                     text(of.p90), text(of.p99), text(of.max));
}

void waits(Page& page, const Summary& s) {
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  page.heading("Attempts and waits");
  if (s.attempts_per_pod.count != 0)
    page.line("attempts per pod", distribution(s.attempts_per_pod, number));
  if (s.queue_to_bound_seconds.count != 0)
    page.line("queue to bound", distribution(s.queue_to_bound_seconds, duration_text) +
                                    fmt::format(" ({} clock)", s.clock));
  page.line("times in backoff", grouped(s.backoffs));
  if (s.victims_per_preemption.count != 0)
    page.line("preemptions", fmt::format("{}, victims {}", grouped(s.victims_per_preemption.count),
                                         distribution(s.victims_per_preemption, number)));
  queues(page, s.queues);
}

void messages(Page& page, std::string_view title, const std::map<std::string, uint64_t>& counts) {
  constexpr size_t kShown = 10;
  if (counts.empty()) return;
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto& [text, count] : counts) sorted.emplace_back(count, text);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  page.heading(title);
  for (size_t i = 0; i < std::min(kShown, sorted.size()); ++i)
    page.line(fmt::format("  {:>8} x {}", grouped(sorted[i].first), sorted[i].second));
  if (sorted.size() > kShown)
    page.line(fmt::format("  and {} more texts, see the JSON summary", sorted.size() - kShown));
}

void remarks(Page& page, const Summary& s) {
  const auto named = [&](std::string_view label, const PodsWithRemark& pods) {
    if (pods.count == 0) return;
    const bool more = pods.count > pods.examples.size();
    page.line(label, fmt::format("{}: {}{}", grouped(pods.count), fmt::join(pods.examples, ", "),
                                 more ? ", ..." : ""));
  };
  named("claims not seen", s.pods_with_resource_claims);
  named("priority not filled in", s.pods_without_priority);
  if (s.unknown_fields.empty()) return;
  std::vector<std::string> fields;
  for (const auto& [path, count] : s.unknown_fields)
    fields.push_back(fmt::format("{} {}", grouped(count), printable(path)));
  page.line("unknown fields", fmt::format("{}", fmt::join(fields, ", ")));
}

void kept(Page& page, const Summary& s) {
  if (s.rankings == 0 && s.rankings_evicted == 0) return;
  std::string text = fmt::format("{}, {:.1f} MiB", grouped(s.rankings),
                                 static_cast<double>(s.ranking_bytes) / (1024.0 * 1024));
  if (s.rankings_evicted != 0) text += ", " + grouped(s.rankings_evicted) + " evicted";
  page.line("rankings of pod kinds", text);
}

void verified(Page& page, const Summary& s) {
  std::string text = grouped(s.decisions_verified) + " made again by the reference evaluation";
  if (s.decisions_not_compared != 0)
    text += ", " + grouped(s.decisions_not_compared) +
            " not: an extender or a plugin with external inputs took part";
  page.line("verified decisions", text);
}

void speed(Page& page, const Summary& s) {
  page.heading("Speed");
  page.line("pods per second", grouped(static_cast<uint64_t>(s.pods_per_second)));
  page.line("first pop to last bind", duration_text(s.elapsed_seconds));
  page.line("loading before", duration_text(s.load_seconds));
  page.line("one decision", fmt::format("p50 {}   p90 {}   p99 {}   p99.9 {}   max {}",
                                        duration_text(s.latency.p50), duration_text(s.latency.p90),
                                        duration_text(s.latency.p99), duration_text(s.latency.p999),
                                        duration_text(s.latency.max)));
  kept(page, s);
  if (s.rows_off_main_thread != 0)
    page.line("rows by other threads", grouped(s.rows_off_main_thread));
  verified(page, s);
}

void resources(Page& page, const Summary& s) {
  page.heading("Utilisation");
  for (const ResourceUse& use : s.resources)
    page.line(use.resource, fmt::format("{} {:5.1f} %   {} of {}",
                                        bar(fraction(use), page.bar_width()), fraction(use) * 100,
                                        amount(use, use.requested), amount(use, use.allocatable)));
}

void zones(Page& page, const Summary& s) {
  if (s.pods_per_zone.empty()) return;
  uint64_t most = 1;
  for (const auto& [zone, count] : s.pods_per_zone) most = std::max(most, count);
  page.heading("Pods per zone");
  for (const auto& [zone, count] : s.pods_per_zone)
    page.line(
        zone.empty() ? "(no zone)" : zone,
        fmt::format("{} {}",
                    bar(static_cast<double>(count) / static_cast<double>(most), page.bar_width()),
                    grouped(count)));
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
  json.member("objects_passed_over", s.objects_passed_over);
  json.member("errors_in_input", s.errors_in_input);
  json.texts("plugins_missing", s.plugins_missing);
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
  json.member("rankings_evicted", s.rankings_evicted);
  json.member("decisions_verified", s.decisions_verified);
  json.member("decisions_not_compared", s.decisions_not_compared);
  json.member("seed", s.seed);
  json.member("decision_hash", s.decision_hash);
  json.member("bindings_file", s.bindings_file);
  json.member("results_file", s.results_file);
  write_resources(json, s.resources);
  write_counts(json, "pods_per_zone", s.pods_per_zone);
  write_counts(json, "unschedulable_messages", s.messages);
  write_counts(json, "failures", s.failures);
  write_calls(json, s.calls);
  json.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

std::string to_text(const Summary& s, int width) {
  Page page(width);
  if (s.interrupted) page.line("Interrupted: the input was not read to its end.");
  if (!s.error.empty()) page.line("Failed: " + s.error);
  page.line(fmt::format("Cluster of {} nodes, {} pods placed before", grouped(s.nodes),
                        grouped(s.pods_placed_before)));
  pods(page, s);
  messages(page, "Why pods were not scheduled", s.messages);
  messages(page, "What failed", s.failures);
  waits(page, s);
  speed(page, s);
  resources(page, s);
  zones(page, s);
  page.heading("Run");
  page.line("decision hash", fmt::format("{} (seed {})", s.decision_hash, s.seed));
  page.line("bindings",
            s.bindings_file.empty() ? "not written (--bindings FILE)" : s.bindings_file);
  if (!s.results_file.empty()) page.line("results", s.results_file);
  if (!s.plugins_missing.empty())
    page.line("plugins not built", fmt::format("{}", fmt::join(s.plugins_missing, ", ")));
  if (!s.unread_kinds.empty()) {
    std::vector<std::string> kinds;
    for (const auto& [kind, count] : s.unread_kinds)
      kinds.push_back(fmt::format("{} {}", grouped(count), kind));
    page.line("kinds not read", fmt::format("{}", fmt::join(kinds, ", ")));
  }
  remarks(page, s);
  if (s.objects_passed_over != 0)
    page.line("not pods",
              fmt::format("{} nodes and namespaces in --pods", grouped(s.objects_passed_over)));
  if (s.errors_in_input != 0) page.line("errors in the input", grouped(s.errors_in_input));
  return page.take();
}

}  // namespace berth::output
