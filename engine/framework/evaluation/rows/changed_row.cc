#include "engine/framework/evaluation/rows/changed_row.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/nominated.h"

namespace berth::framework {

void ChangedRow::begin(const DecisionContext& context, model::Row row) {
  BERTH_ASSERT(context.filters_resolved() && row < cluster_.nodes().rows());
  overlay_.reset(row);
  changes_.clear();
  if (!error_.empty()) error_.clear();
  context_ = &context;
  if (resolution_ != context.resolution || profile_ != context.profile) {
    end_scratches();
    begin_scratches();
    return;
  }
  for (Scratch& scratch : scratches_) {
    if (!scratch.changed) continue;
    scratch.changed = false;
    // After a failed reset the scratch is undefined; the next change begins a new one.
    if (host::CallError failure = hook(scratch).reset(calls_, scratch.state, scratch.base))
      end(scratch);
  }
}

void ChangedRow::begin_scratches() {
  profile_ = context_->profile;
  resolution_ = context_->resolution;
  for (size_t i = 0; i < profile_->filter.size(); ++i) {
    if (!context_->follows_changes(i)) continue;
    scratches_.push_back({.filter = i, .base = context_->filter_states()[i]->prepared.state()});
  }
}

void ChangedRow::end_scratches() noexcept {
  for (Scratch& scratch : scratches_)
    if (scratch.state != nullptr) end(scratch);
  scratches_.clear();
}

// A failure is counted with the hook's errors; the scratch is gone for the host either way.
void ChangedRow::end(Scratch& scratch) noexcept {
  static_cast<void>(static_cast<bool>(hook(scratch).end(calls_, scratch.state)));
  scratch.state = nullptr;
}

const host::OverlayState& ChangedRow::hook(const Scratch& scratch) const {
  return *profile_->overlay_state[profile_->filter[scratch.filter].overlay].point;
}

void ChangedRow::copy_from(const ChangedRow& other) {
  BERTH_ASSERT(other.context_ != nullptr);
  begin(*other.context_, other.row());
  overlay_.copy_from(other.overlay_);
  for (const Change& change : other.changes_) {
    changes_.push_back(change);
    for (Scratch& scratch : scratches_) follow(scratch, *change.pod, change.sign);
  }
}

void ChangedRow::change(const TrialPod& pod, int sign) {
  BERTH_ASSERT(context_ != nullptr);
  if (sign > 0) {
    overlay_.add_pod(pod.on_node());
  } else {
    overlay_.remove_pod(pod.on_node());
  }
  if (scratches_.empty()) return;
  changes_.push_back({&pod, sign});
  for (Scratch& scratch : scratches_) follow(scratch, pod, sign);
}

void ChangedRow::add_nominated() {
  if (!scratches_.empty()) {
    const auto& all = context_->nominated;
    using OnRow = std::pair<model::Row, TrialPod>;
    auto next = std::ranges::lower_bound(all, overlay_.row(), {}, &OnRow::first);
    for (; next != all.end() && next->first == overlay_.row(); ++next) add_pod(next->second);
    return;
  }
  for_each_nominated(cluster_, overlay_.row(), *context_,
                     [&](const model::PodOnNode& pod) { overlay_.add_pod(pod); });
}

void ChangedRow::follow(Scratch& scratch, const TrialPod& pod, int sign) {
  if (!error_.empty()) return;
  const size_t index = profile_->filter[scratch.filter].overlay;
  const host::OverlayState& plugin = hook(scratch);
  if (scratch.state == nullptr) {
    if (host::CallError failure = plugin.begin(calls_, scratch.base, scratch.state))
      return fail("copying the state of", scratch.filter, failure);
  }
  scratch.changed = true;
  berth_call call = BoundHook::call(pod.columns(index), 1, nullptr, 0);
  if (sign > 0) {
    if (host::CallError failure = plugin.add_pod(calls_, scratch.state, call, overlay_.row()))
      fail("running AddPod on", scratch.filter, failure);
  } else {
    if (host::CallError failure = plugin.remove_pod(calls_, scratch.state, call, overlay_.row()))
      fail("running RemovePod on", scratch.filter, failure);
  }
}

// Stores the first error, worded as by kube-scheduler for the extensions of PreFilter.
void ChangedRow::fail(const char* what, size_t filter, const host::CallError& error) {
  if (error_.empty())
    error_ = std::string(what) + " PreFilter plugin \"" + profile_->filter[filter].point->plugin() +
             "\": " + error.text();
}

const void* ChangedRow::state(size_t filter) const {
  for (const Scratch& scratch : scratches_)
    if (scratch.filter == filter) return scratch.changed ? scratch.state : nullptr;
  return nullptr;
}

}  // namespace berth::framework
