#include "engine/metrics/parts/core_metrics.h"

#include <string>

#include "engine/base/assert.h"
#include "engine/runtime/events/move_names.h"

namespace berth::metrics {
namespace {

using queue::Place;

constexpr Place kWaitingPlaces[] = {Place::kActive, Place::kBackoff, Place::kErrorBackoff,
                                    Place::kUnschedulable, Place::kGated};

}  // namespace

void CoreMetrics::Counted::set(uint64_t now) {
  BERTH_ASSERT(now >= count);
  counter->Increment(static_cast<double>(now - count));
  count = now;
}

CoreMetrics::CoreMetrics(prometheus::Registry& registry, runtime::Core& core)
    : core_(core),
      incoming_(families::incoming_pods(registry)),
      unschedulable_(families::unschedulable_pods(registry)),
      active_(families::pending_pods(registry).Add({{"queue", "active"}})),
      backoff_(families::pending_pods(registry).Add({{"queue", "backoff"}})),
      waiting_(families::pending_pods(registry).Add({{"queue", "unschedulable"}})),
      gated_(families::pending_pods(registry).Add({{"queue", "gated"}})),
      nodes_(families::cache_size(registry).Add({{"type", "nodes"}})),
      pods_(families::cache_size(registry).Add({{"type", "pods"}})),
      assumed_(families::cache_size(registry).Add({{"type", "assumed_pods"}})),
      binding_(families::goroutines(registry).Add({{"operation", "binding"}})) {
  Counters& evaluated = families::plugin_evaluations(registry);
  for (const auto& profile : core.assembly().profiles) {
    add_evaluations(evaluated, profile->scheduler_name(), profile->pre_filter);
    add_evaluations(evaluated, profile->scheduler_name(), profile->filter);
    add_evaluations(evaluated, profile->scheduler_name(), profile->pre_score);
    add_evaluations(evaluated, profile->scheduler_name(), profile->score);
  }
}

template <typename Hooks>
void CoreMetrics::add_evaluations(Counters& family, const std::string& profile,
                                  const Hooks& hooks) {
  for (const auto& hook : hooks) {
    prometheus::Counter& counter =
        family.Add({{"plugin", hook.point->plugin()},
                    {"extension_point", std::string(point_name(hook.point->point()))},
                    {"profile", profile}});
    evaluations_.push_back({hook.point->id(), {&counter}});
  }
}

void CoreMetrics::refresh(size_t binding_cycles) {
  set_queue_sizes();
  count_moves();
  count_refused();
  count_evaluations();
  nodes_.Set(core_.cluster().nodes().rows());
  pods_.Set(static_cast<double>(core_.cluster().placed_pods()));
  assumed_.Set(static_cast<double>(binding_cycles));
  binding_.Set(static_cast<double>(binding_cycles));
}

void CoreMetrics::set_queue_sizes() {
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  active_.Set(static_cast<double>(queue.size(Place::kActive)));
  backoff_.Set(static_cast<double>(queue.size(Place::kBackoff) + queue.size(Place::kErrorBackoff)));
  waiting_.Set(static_cast<double>(queue.size(Place::kUnschedulable)));
  gated_.Set(static_cast<double>(queue.size(Place::kGated)));
}

// Kinds of moves that kube-scheduler does not tell apart share a counter.
void CoreMetrics::count_moves() {
  const std::vector<queue::MoveCount>& moves = core_.scheduler().queue().moves();
  entered_.resize(moves.size());
  for (size_t i = 0; i < moves.size(); ++i) {
    const std::string event = runtime::move_name(moves[i].move);
    const auto count = [&](Counted& of, const char* queue, uint64_t pods) {
      if (pods == 0) return;
      if (of.counter == nullptr) of.counter = &incoming_.Add({{"queue", queue}, {"event", event}});
      of.set(pods);
    };
    auto& [active, backoff, unschedulable] = entered_[i];
    count(active, "active", moves[i].active);
    count(backoff, "backoff", moves[i].backoff);
    count(unschedulable, "unschedulable", moves[i].unschedulable);
  }
}

// A pod counts until it is tried again, wherever it waits for that. A plugin that once refused a
// pod keeps its series.
void CoreMetrics::count_refused() {
  const queue::SchedulingQueue& queue = core_.scheduler().queue();
  std::vector<uint64_t> counts(refused_by_.size());
  for (const Place place : kWaitingPlaces)
    for (const model::PodId pod : queue.list(place))
      for (const queue::RefuserId by : queue.refusers(pod).all()) {
        if (by >= counts.size()) counts.resize(by + size_t{1});
        ++counts[by];
      }
  refused_by_.resize(counts.size());
  const runtime::QueuePolicy& policy = core_.scheduler().policy();
  for (size_t i = 0; i < counts.size(); ++i) {
    const queue::RefuserId by = static_cast<queue::RefuserId>(i);
    if (refused_by_[i] == nullptr && counts[i] != 0)
      refused_by_[i] = &unschedulable_.Add(
          {{"plugin", policy.name(by)},
           {"profile", policy.profile(policy.profile_of(by)).scheduler_name()}});
    if (refused_by_[i] != nullptr) refused_by_[i]->Set(static_cast<double>(counts[i]));
  }
}

// The binding thread may be at work, but calls no hook of these points.
void CoreMetrics::count_evaluations() {
  for (Evaluations& of : evaluations_) {
    uint64_t calls = core_.calls().counts(of.hook).calls;
    for (const host::CallContext* other : core_.scheduler().decisions().other_calls())
      calls += other->counts(of.hook).calls;
    of.calls.set(calls);
  }
}

}  // namespace berth::metrics
