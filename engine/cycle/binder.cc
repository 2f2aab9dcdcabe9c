#include "engine/cycle/binder.h"

#include "engine/base/assert.h"

namespace berth::cycle {
namespace {

bool bit(const std::vector<uint64_t>& bits, size_t i) { return (bits[i / 64] >> i % 64 & 1) != 0; }
void clear(std::vector<uint64_t>& bits, size_t i) { bits[i / 64] &= ~(uint64_t{1} << i % 64); }

}  // namespace

void Binder::add(framework::Profile& profile, const model::PodRecord& pod, model::Row row) {
  BERTH_ASSERT(!full() && !belongs_to_other(profile));
  profile_ = &profile;
  pods_.push_back(pod);
  pods_.back().handle = pods_.size() - 1;
  handles_.push_back(pod.handle);
  rows_.push_back(row);
}

template <typename Hook>
berth_call Binder::call(Hook& hook, const std::vector<uint64_t>& mask) {
  hook.bound.gather_pods(nullptr, pods_, rows_, columns_);
  berth_call call = framework::BoundHook::call(columns_, pods_.size(), nullptr, 0);
  call.mask = mask.data();
  return call;
}

void Binder::fail(size_t position, std::string message) {
  failures_[position] = std::move(message);
  clear(open_, position);
}

void Binder::pre_bind(host::CallContext& worker) {
  for (auto& hook : profile_->pre_bind) {
    codes_.assign(pods_.size(), BERTH_SUCCESS);
    berth_call flight = call(hook, open_);
    host::CallError error = hook.point->pre_flight(worker, flight, codes_);
    std::vector<uint64_t> wanted = open_;
    for (size_t i = 0; i < pods_.size(); ++i)
      if (!error && codes_[i] != BERTH_SUCCESS) clear(wanted, i);
    codes_.assign(pods_.size(), BERTH_SUCCESS);
    berth_call work = call(hook, wanted);
    if (!error) error = hook.point->call(worker, work, codes_);
    for (size_t i = 0; i < pods_.size(); ++i) {
      if (!bit(wanted, i) || !bit(open_, i) || (!error && codes_[i] == BERTH_SUCCESS)) continue;
      fail(i, "running PreBind plugin \"" + hook.point->plugin() +
                  "\": " + (error ? error.text() : worker.text()));
    }
  }
}

// The first plugin that does not skip a pod decides on it.
void Binder::bind(host::CallContext& worker) {
  for (auto& hook : profile_->bind) {
    codes_.assign(pods_.size(), BERTH_SKIP);
    berth_call batch = call(hook, open_);
    host::CallError error = hook.point->call(worker, batch, codes_);
    for (size_t i = 0; i < pods_.size(); ++i) {
      if (!bit(open_, i)) continue;
      if (error || codes_[i] == BERTH_ERROR) {
        fail(i, "running Bind plugin \"" + hook.point->plugin() +
                    "\": " + (error ? error.text() : worker.text()));
      } else if (codes_[i] == BERTH_SUCCESS) {
        clear(open_, i);
      }
    }
  }
  for (size_t i = 0; i < pods_.size(); ++i)
    if (bit(open_, i)) fail(i, "no Bind plugin bound the pod: all of them skipped it");
}

void Binder::post_bind(host::CallContext& worker) {
  bound_.assign(open_.size(), 0);
  for (size_t i = 0; i < pods_.size(); ++i)
    if (failures_[i].empty()) bound_[i / 64] |= uint64_t{1} << i % 64;
  for (auto& hook : profile_->post_bind) {
    berth_call batch = call(hook, bound_);
    // For information only: what a plugin makes of it changes nothing, and its error is counted.
    static_cast<void>(hook.point->call(worker, batch));
  }
}

void Binder::tell_sink() {
  bound_handles_.clear();
  for (size_t i = 0; i < pods_.size(); ++i)
    if (failures_[i].empty()) bound_handles_.push_back(handles_[i]);
  sink_->batch_ended(bound_handles_);
}

std::vector<BindFailure> Binder::flush(host::CallContext& worker) {
  std::vector<BindFailure> failed;
  if (pods_.empty()) return failed;
  if (sink_ != nullptr) sink_->batch_begins();
  open_.assign((pods_.size() + 63) / 64, ~uint64_t{0});
  failures_.assign(pods_.size(), {});
  pre_bind(worker);
  bind(worker);
  post_bind(worker);
  if (sink_ != nullptr) tell_sink();
  for (size_t i = 0; i < pods_.size(); ++i) {
    if (failures_[i].empty()) continue;
    pods_[i].handle = handles_[i];
    failed.push_back({pods_[i], rows_[i], std::move(failures_[i])});
  }
  pods_.clear();
  handles_.clear();
  rows_.clear();
  return failed;
}

bool Binder::write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) {
  for (size_t i = 0; i < pods.size(); ++i) {
    if (pods[i] >= pods_.size()) return false;
    const model::PodRecord& pod = pods_[pods[i]];
    if (sink_ != nullptr)
      sink_->bind(cluster_.text(pod.namespace_name), cluster_.text(pod.name),
                  cluster_.text(nodes[i]));
  }
  return true;
}

}  // namespace berth::cycle
