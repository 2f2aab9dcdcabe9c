#include "engine/metrics/parts/timing_metrics.h"

#include <algorithm>
#include <exception>
#include <iterator>

#include "engine/base/assert.h"
#include "engine/base/points.h"
#include "engine/host/calls/checks/code_name.h"
#include "engine/runtime/events/move_names.h"

namespace berth::metrics {
namespace {

// By TimedPoint.
constexpr std::array<const char*, framework::kTimedPoints> kPointNames = {
    "PreEnqueue", "PreFilter", "Filter",           "PostFilter", "PreScore",
    "Score",      "Reserve",   "Unreserve",        "Permit",     "PreBind",
    "Bind",       "PostBind",  "PreBindPreFlight", "Sign"};

// Hooks that kube-scheduler has no extension points for, or measures elsewhere.
bool is_measured(const std::string& hook) {
  return hook != point_name(Point::kQueueSort) && hook != point_name(Point::kHints) &&
         hook != point_name(Point::kOverlayState) && hook != point_name(Point::kObserve);
}

prometheus::Labels with_status(prometheus::Labels labels, uint8_t code) {
  labels.emplace("status", host::code_name(code));
  return labels;
}

}  // namespace

TimingMetrics::TimingMetrics(prometheus::Registry& registry, runtime::Core& core,
                             MachineClock clock)
    : core_(core),
      clock_(std::move(clock)),
      points_(families::point_duration(registry)),
      plugins_(families::plugin_duration(registry)),
      events_(families::event_duration(registry)),
      waits_(families::permit_wait(registry)),
      by_profile_(core.assembly().profiles.size()) {
  if (core.configuration().rules.has(Rule::kBatches)) batches_.emplace(registry, core);
  core_.keep_time(this);
  const runtime::Decisions& decisions = core_.scheduler().decisions();
  const auto log = [](host::CallContext& calls) {
    Log made{&calls, std::make_unique<host::CallLog>(kMostCalls)};
    calls.log_calls(made.log.get());
    return made;
  };
  logs_.push_back(log(core_.calls()));
  for (host::CallContext* calls : decisions.decision_calls()) logs_.push_back(log(*calls));
  if (decisions.other_calls().size() != decisions.decision_calls().size())
    binding_log_ = log(*decisions.other_calls().back());
}

TimingMetrics::~TimingMetrics() {
  try {
    core_.keep_time(nullptr);
  } catch (const std::exception&) {
    // The binding thread has failed before, which the run was told of. It works no more.
  }
  for (const Log& one : logs_) one.calls->log_calls(nullptr);
  if (binding_log_.calls != nullptr) binding_log_.calls->log_calls(nullptr);
}

void TimingMetrics::take_calls() {
  for (const Log& one : logs_) take(*one.log);
}

void TimingMetrics::take_binding_calls() {
  if (binding_log_.log != nullptr) take(*binding_log_.log);
}

void TimingMetrics::take(host::CallLog& log) {
  if (log.calls().empty()) return;
  for (const host::CallLog::Call& call : log.calls()) {
    Plugin& one = plugin(call.hook);
    if (!one.measured) continue;
    BERTH_ASSERT(call.code < kCodes);
    prometheus::Histogram*& of = one.series[call.code];
    if (of == nullptr) {
      const host::HookTable::Name name = core_.hooks().name(call.hook);
      of = &plugins_.Add(
          with_status({{"plugin", name.plugin}, {"extension_point", name.hook}}, call.code),
          plugin_buckets());
    }
    of->Observe(seconds(call.end - call.begin));
  }
  log.clear();
}

TimingMetrics::Plugin& TimingMetrics::plugin(host::HookId hook) {
  if (hook >= by_hook_.size()) by_hook_.resize(hook + size_t{1});
  Plugin& one = by_hook_[hook];
  if (!one.known) one.measured = is_measured(core_.hooks().name(hook).hook);
  one.known = true;
  return one;
}

size_t TimingMetrics::position_of(const framework::Profile& profile) const {
  const auto& profiles = core_.assembly().profiles;
  const auto at = std::ranges::find(profiles, &profile, [](const auto& one) { return one.get(); });
  BERTH_ASSERT(at != profiles.end());
  return static_cast<size_t>(at - profiles.begin());
}

TimingMetrics::ByCode& TimingMetrics::point_series(const framework::Profile& profile,
                                                   framework::TimedPoint point) {
  return by_profile_[position_of(profile)][static_cast<size_t>(point)];
}

void TimingMetrics::batch_asked(const framework::Profile& profile, framework::BatchMiss miss,
                                Time took) {
  if (batches_) batches_->asked(position_of(profile), miss, took);
}

void TimingMetrics::batch_told(const framework::Profile& profile, bool named,
                               framework::BatchEnd end, Time took) {
  if (batches_) batches_->told(position_of(profile), named, end, took);
}

void TimingMetrics::asked(framework::TimedPoint point, const framework::Profile& profile,
                          uint8_t code, Time took) {
  BERTH_ASSERT(code < kCodes);
  prometheus::Histogram*& of = point_series(profile, point)[code];
  if (of == nullptr)
    of = &points_.Add(with_status({{"extension_point", kPointNames[static_cast<size_t>(point)]},
                                   {"profile", profile.scheduler_name()}},
                                  code),
                      point_buckets());
  of->Observe(seconds(took));
}

void TimingMetrics::handled(const queue::Move& event, size_t events, Time took) {
  auto of =
      std::ranges::find(by_event_, event, &std::pair<queue::Move, prometheus::Histogram*>::first);
  if (of == by_event_.end()) {
    by_event_.emplace_back(event,
                           &events_.Add({{"event", runtime::move_name(event)}}, event_buckets()));
    of = std::prev(by_event_.end());
  }
  for (size_t i = 0; i < events; ++i) of->second->Observe(seconds(took));
}

void TimingMetrics::permit_waited(bool allowed, Time waited) {
  prometheus::Histogram*& of = by_end_[allowed ? 1 : 0];
  if (of == nullptr)
    of = &waits_.Add(
        {{"result", std::string(host::code_name(allowed ? BERTH_SUCCESS : BERTH_UNSCHEDULABLE))}},
        attempt_buckets());
  of->Observe(seconds(waited));
}

}  // namespace berth::metrics
