#include "engine/conformance/history/history_json.h"

#include <algorithm>
#include <chrono>

namespace berth::conformance {
namespace {

using document::JsonWriter;

void write_waiting(JsonWriter& writer, const std::vector<WaitingPod>& pods) {
  writer.array("unschedulable", pods, [&](const WaitingPod& waiting) {
    writer.object([&] {
      writer.member("pod", waiting.pod);
      writer.texts("plugins", waiting.plugins);
      if (waiting.gated) writer.member("gated", true);
    });
  });
}

void write_search(JsonWriter& writer, const Attempt& attempt) {
  if (!attempt.searched) return;
  if (attempt.result == "scheduled") {
    writer.member("evaluated", attempt.evaluated);
    writer.member("feasible", attempt.feasible);
  }
  writer.member("next", attempt.next);
}

}  // namespace

double seconds(Time time) {
  constexpr double kPerSecond = 1000;
  const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(time);
  return static_cast<double>(whole.count()) / kPerSecond;
}

void write_attempt(JsonWriter& writer, const Attempt& attempt, bool counts) {
  writer.object([&] {
    writer.member("at", seconds(attempt.at));
    writer.member("pod", attempt.pod);
    writer.member("attempts", attempt.attempts);
    writer.member("result", attempt.result);
    writer.member_if("node", attempt.node);
    writer.texts_if("plugins", attempt.plugins);
    writer.member_if("message", attempt.message);
    if (attempt.nominated) writer.member("nominated", *attempt.nominated);
    writer.texts_if("victims", attempt.victims);
    writer.texts_if("cleared", attempt.cleared);
    writer.texts_if("calls", attempt.calls);
    if (counts) write_search(writer, attempt);
  });
}

void write_state(JsonWriter& writer, const SchedulerState& state) {
  writer.texts_if("active", state.active);
  writer.texts_if("backoff", state.backoff);
  writer.texts_if("errorBackoff", state.error_backoff);
  if (!state.unschedulable.empty()) write_waiting(writer, state.unschedulable);
  writer.object("nominations", [&] {
    for (const auto& [pod, node] : state.nominations) writer.member(pod, node);
  });
  writer.object("pods", [&] {
    for (const auto& [node, pods] : state.pods) writer.member(node, pods);
  });
  writer.texts_if("terminating", state.terminating);
  writer.texts_if("waiting", state.waiting);
}

void write_queue(JsonWriter& writer, const SchedulerState& state) {
  std::vector<std::string> active = state.active, backoff = state.backoff;
  backoff.insert(backoff.end(), state.error_backoff.begin(), state.error_backoff.end());
  std::sort(active.begin(), active.end());
  std::sort(backoff.begin(), backoff.end());
  writer.texts("active", active);
  writer.texts("backoff", backoff);
  write_waiting(writer, state.unschedulable);
}

}  // namespace berth::conformance
