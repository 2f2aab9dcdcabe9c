#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/output/resource_use.h"
#include "engine/output/summary.h"
#include "engine/output/summary_parts.h"

namespace berth::output {
namespace {

// Rows of a table that is cut.
constexpr size_t kMostRows = 10;
// A table of one row more is shown whole: the line about the rest would take its place.
size_t rows_shown(size_t size, Rows rows) {
  return rows == Rows::kAll || size <= kMostRows + 1 ? size : kMostRows;
}

std::string bar(double part, int width) {
  const int full = std::clamp(static_cast<int>(part * width + 0.5), 0, width);
  return std::string(static_cast<size_t>(full), '#') +
         std::string(static_cast<size_t>(width - full), '.');
}

class Page {
 public:
  Page(int width, Rows rows) : width_(std::max(width, 60)), rows_(rows) {}

  void line(std::string_view label, const std::string& value) {
    line(fmt::format("  {:<24}{}", printable(label), value));
  }
  void line(const std::string& text) { text_ += printable(text) + "\n"; }
  void heading(std::string_view title) { text_ += fmt::format("\n{}\n", title); }
  int bar_width() const { return std::min(30, width_ - 50); }

  // Calls `show` with each element that is shown, and says how many more there are.
  template <typename List, typename Show>
  void table(const List& list, Show&& show) {
    const size_t shown = rows_shown(list.size(), rows_);
    for (size_t i = 0; i < shown; ++i) show(list[i]);
    if (shown < list.size()) line("  " + left_out(list.size() - shown));
  }
  // The texts on one line, as far as they are shown.
  std::string listed(const std::vector<std::string>& texts) const {
    const size_t shown = rows_shown(texts.size(), rows_);
    std::string text = fmt::format(
        "{}", fmt::join(texts.begin(), texts.begin() + static_cast<ptrdiff_t>(shown), ", "));
    return shown == texts.size() ? text : text + ", " + left_out(texts.size() - shown);
  }
  std::string take() { return std::move(text_); }

 private:
  static std::string left_out(size_t count) {
    return fmt::format("... and {} more; -o wide prints all", grouped(count));
  }

  int width_;
  Rows rows_;
  std::string text_;
};

void lines(Page& page, std::string_view title, const Lines& lines) {
  if (lines.empty()) return;
  page.heading(title);
  for (const auto& [label, value] : lines) page.line(label, value);
}

void queues(Page& page, const std::vector<QueueSizes>& samples) {
  if (samples.empty()) return;
  page.heading("Pods waiting, by queue");
  std::string head = fmt::format("  {:<14}", "clock");
  for (const Queue& queue : kQueues) head += fmt::format("{:>14}", queue.name);
  page.line(head);
  for (const QueueSizes& at : few_of(samples)) {
    std::string line = fmt::format("  {:<14}", duration_text(at.seconds));
    for (const Queue& queue : kQueues) line += fmt::format("{:>14}", grouped(at.*queue.size));
    page.line(line);
  }
}

using Counts = std::map<std::string, uint64_t>;

// The most frequent first.
std::vector<std::pair<std::string, uint64_t>> by_count(const Counts& counts) {
  std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           [](const auto& of) { return of.second; });
  return sorted;
}

// "12 Pod.spec.nodeSelectors", the most frequent first.
std::vector<std::string> counted(const Counts& counts) {
  std::vector<std::string> texts;
  for (const auto& [text, count] : by_count(counts))
    texts.push_back(fmt::format("{} {}", grouped(count), printable(text)));
  return texts;
}

void messages(Page& page, std::string_view title, const Counts& counts) {
  if (counts.empty()) return;
  page.heading(title);
  page.table(by_count(counts), [&](const auto& message) {
    page.line(fmt::format("  {:>8} x {}", grouped(message.second), message.first));
  });
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
  if (!s.unknown_fields.empty())
    page.line("unknown fields", page.listed(counted(s.unknown_fields)));
}

void kept(Page& page, const Summary& s) {
  if (s.rankings == 0 && s.rankings_evicted == 0) return;
  const auto bytes = [](uint64_t of) {
    return measured_text(static_cast<double>(of), NAN, Unit::kBytes);
  };
  std::string text = fmt::format("{}, {} of {}", grouped(s.rankings), bytes(s.ranking_bytes),
                                 bytes(s.ranking_bytes_limit));
  if (s.rankings_evicted != 0) text += ", " + grouped(s.rankings_evicted) + " evicted";
  if (s.rankings_evicted_for_memory != 0)
    text += ", " + grouped(s.rankings_evicted_for_memory) +
            " of them for want of memory (--ranking-memory)";
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
  page.line("decisions per second", grouped(static_cast<uint64_t>(s.pods_per_second)));
  page.line("first pop to last bind", duration_text(s.elapsed_seconds));
  page.line("loading before", duration_text(s.load_seconds));
  page.line("one decision", fmt::format("p50 {}   p90 {}   p99 {}   p99.9 {}   max {}",
                                        duration_text(s.latency.p50), duration_text(s.latency.p90),
                                        duration_text(s.latency.p99), duration_text(s.latency.p999),
                                        duration_text(s.latency.max)));
  kept(page, s);
  if (s.threads > 1) page.line("rows by other threads", grouped(s.rows_off_main_thread));
  verified(page, s);
}

void metrics(Page& page, const Summary& s) {
  if (s.metrics.empty()) return;
  page.heading("Metrics of plugins");
  page.table(s.metrics, [&](const PluginMetric& metric) {
    page.line(metric.plugin, metric.name + " " +
                                 (metric.counts ? grouped(static_cast<uint64_t>(metric.value))
                                                : std::to_string(metric.value)));
  });
}

void resources(Page& page, const Summary& s) {
  page.heading("Utilisation");
  page.table(s.resources, [&](const ResourceUse& use) {
    page.line(use.resource,
              fmt::format("{} {:5.1f} %   {} of {}", bar(fraction(use), page.bar_width()),
                          fraction(use) * 100, amount_text(use.resource, use.requested),
                          amount_text(use.resource, use.allocatable)));
  });
}

void zones(Page& page, const Summary& s) {
  if (s.pods_per_zone.empty()) return;
  const auto sorted = by_count(s.pods_per_zone);
  const double most = static_cast<double>(std::max<uint64_t>(sorted.front().second, 1));
  page.heading("Pods per zone");
  page.table(sorted, [&](const auto& zone) {
    const auto& [name, count] = zone;
    page.line(name.empty() ? "(no zone)" : name,
              fmt::format("{} {}", bar(static_cast<double>(count) / most, page.bar_width()),
                          grouped(count)));
  });
}

}  // namespace

std::string to_text(const Summary& s, int width, Rows rows) {
  Page page(width, rows);
  if (s.interrupted)
    page.line(s.input_read ? "Interrupted: all input was read, and pods were still to be tried."
                           : "Interrupted: the input was not read to its end.");
  // Its details are on standard error.
  if (!s.error.empty()) page.line("Failed: " + s.error.substr(0, s.error.find('\n')));
  page.line(fmt::format("Cluster of {}, {} placed before", plural(s.nodes, "node"),
                        plural(s.pods_placed_before, "pod")));
  lines(page, "Pods", pod_lines(s));
  messages(page, "Why pods were not scheduled", s.messages);
  messages(page, "What failed", s.failures);
  if (s.gave_up_after_seconds > 0)
    page.line(
        fmt::format("  {} failed. Such pods were tried again, with backoff, until {:.0f} "
                    "seconds of the run's clock brought no change.",
                    plural(s.failed_attempts, "attempt"), s.gave_up_after_seconds));
  lines(page, "Attempts and waits", wait_lines(s));
  queues(page, s.queues);
  lines(page, "Evictions", eviction_lines(s));
  speed(page, s);
  metrics(page, s);
  resources(page, s);
  zones(page, s);
  page.heading("Run");
  page.line("decision hash",
            fmt::format("{} (seed {}, Kubernetes {})", s.decision_hash, s.seed, s.kube_version));
  page.line("bindings",
            s.bindings_file.empty() ? "not written (--bindings FILE)" : s.bindings_file);
  if (!s.results_file.empty()) page.line("results", s.results_file);
  if (!s.events_file.empty()) page.line("events", s.events_file);
  if (!s.unread_kinds.empty()) page.line("kinds not read", page.listed(counted(s.unread_kinds)));
  remarks(page, s);
  if (s.errors_in_input != 0) page.line("errors in the input", grouped(s.errors_in_input));
  return page.take();
}

}  // namespace berth::output
