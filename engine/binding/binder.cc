#include "engine/binding/binder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/assert.h"
#include "engine/host/calls/tag_scope.h"
#include "engine/host/run/worker.h"

namespace berth::binding {

bool Binder::is_quick(const framework::Profile& profile) {
  const auto quick = [](const auto& hook) { return hook.point->quick(); };
  return profile.post_bind.empty() && std::ranges::all_of(profile.pre_bind, quick) &&
         std::ranges::all_of(profile.bind, quick);
}

void Binder::set_extenders(framework::Extenders* extenders) {
  extenders_ = extenders != nullptr && extenders->binds() ? extenders : nullptr;
  BERTH_ASSERT(extenders_ == nullptr || !on_thread());
}

void Binder::use_thread() {
  BERTH_ASSERT(extenders_ == nullptr && size() == 0);
  if (!on_thread()) thread_calls_ = std::make_unique<host::CallContext>();
}

void Binder::time_points(framework::PointWatch* watch) {
  points_ = watch;
  wait();
  for (const auto& batch : batches_) batch->points = watch;
}

void Binder::begin_cycles() {
  if (size() != 0 || moment_ == nullptr) return;
  cycles_moment_ = *moment_;
  cycles_moment_.end_decision();
}

void Binder::add(framework::Profile& profile, model::PodId pod, host::CallContext& calls,
                 std::unique_ptr<PreBindWait> wait, uint64_t skips, bool announced) {
  BERTH_ASSERT(!full());
  begin_cycles();
  const host::MomentScope at(cycles_moment_);
  Bindable one{pod, &profile, std::move(wait), skips, ++added_, announced};
  const bool owned = is_owned(one, calls);
  (owned ? owned_ : pods_).push_back(std::move(one));
  if (on_thread() && pods_.size() >= next_hand_over()) hand_over(calls);
}

void Binder::add_bound(framework::Profile& profile, model::PodId pod) {
  BERTH_ASSERT(!full());
  begin_cycles();
  pods_.push_back({.pod = pod, .profile = &profile});
}

std::vector<model::PodId> Binder::pods() const {
  std::vector<model::PodId> all;
  for (size_t i = 0; i < used_; ++i) batches_[i]->append_pods(all);
  for (const Bindable& one : pods_) all.push_back(one.pod);
  for (const Bindable& one : owned_) all.push_back(one.pod);
  return all;
}

BindingBatch& Binder::next_batch() {
  if (used_ == batches_.size())
    batches_.push_back(std::make_unique<BindingBatch>(cluster_, observer_ != nullptr));
  batches_[used_]->points = points_;
  batches_[used_]->rules = rules_;
  return *batches_[used_++];
}

void Binder::hand_over(host::CallContext& calls) {
  if (!thread_) thread_.emplace([this](BindingBatch& batch) { run_on_thread(batch); });
  BindingBatch& batch = next_batch();
  batch.moment = cycles_moment_;
  const host::MomentScope at(batch.moment);
  batch.gather(pods_, BindingBatch::Columns::kCopies, calls);
  batch.timed = calls.times_calls();
  handed_over_ += pods_.size();
  pods_.clear();
  thread_->submit(batch);
}

void Binder::run_on_thread(BindingBatch& batch) {
  BERTH_ASSERT(running_ == nullptr);
  running_ = &batch;
  host::Worker::is_binding();
  const host::MomentScope at(batch.moment);
  thread_calls_->time_calls(batch.timed);
  batch.run(sink_, nullptr, *thread_calls_);
  running_ = nullptr;
}

// A pod that waits was asked about before.
bool Binder::is_owned(Bindable& pod, host::CallContext& calls) {
  auto& hooks = pod.profile->pre_bind;
  for (size_t i = 0; i < hooks.size(); ++i) {
    if (!hooks[i].point->on_cycle()) continue;
    if (pod.wait != nullptr) {
      if (!pod.wait->skips[i]) return true;
      continue;
    }
    if (i >= kSkippable) return true;
    if ((pod.skips >> i & 1) != 0) continue;
    const model::PodRecord* record = &cluster_.pod(pod.pod);
    const model::Row row = cluster_.nodes().row_of(record->slot);
    hooks[i].bound.gather_pods(nullptr, {&record, 1}, {&row, 1}, columns_);
    berth_call flight = framework::BoundHook::call(columns_, 1, nullptr, 0);
    uint8_t code = BERTH_SUCCESS;
    // After a failure the batch asks again, and fails the pod.
    if (hooks[i].point->pre_flight(calls, flight, {&code, 1}) || code != BERTH_SKIP) return true;
    pod.skips |= uint64_t{1} << i;
  }
  return false;
}

void Binder::run_at_once(std::vector<Bindable>& pods, host::CallContext& calls) {
  BindingBatch& batch = next_batch();
  batch.moment = cycles_moment_;
  const host::MomentScope at(batch.moment);
  batch.gather(pods, BindingBatch::Columns::kViews, calls);
  handed_over_ += pods.size();
  pods.clear();
  BERTH_ASSERT(running_ == nullptr);
  running_ = &batch;
  try {
    batch.run(sink_, extenders_, calls);
  } catch (...) {
    failure_ = std::current_exception();
  }
  running_ = nullptr;
}

void Binder::run(host::CallContext& calls) {
  if (failure_) std::rethrow_exception(failure_);
  if (!pods_.empty()) on_thread() ? hand_over(calls) : run_at_once(pods_, calls);
  wait();
  if (failure_) std::rethrow_exception(failure_);
}

std::span<Completion> Binder::flush(host::CallContext& calls) {
  run(calls);
  if (!owned_.empty()) run_at_once(owned_, calls);
  if (failure_) std::rethrow_exception(failure_);
  completions_.clear();
  for (size_t i = 0; i < used_; ++i) {
    batches_[i]->tell_points();
    if (observer_ != nullptr)
      for (const PlacementCall& call : batches_[i]->calls()) observer_->called(call);
    std::vector<Completion>& of = batches_[i]->completions();
    if (used_ == 1) {
      std::swap(completions_, of);
    } else {
      std::move(of.begin(), of.end(), std::back_inserter(completions_));
    }
  }
  used_ = 0;
  handed_over_ = 0;
  return completions_;
}

bool Binder::write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) {
  return host::TagScope::binds() && running_ != nullptr && running_->write(pods, nodes);
}

}  // namespace berth::binding
