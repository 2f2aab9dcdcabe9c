#include "engine/binding/binder.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::binding {
namespace {

template <typename Mask>
bool has(const Mask& mask, size_t i) {
  return (mask[i / 64] >> i % 64 & 1) != 0;
}
template <typename Mask>
void set(Mask& mask, size_t i) {
  mask[i / 64] |= uint64_t{1} << i % 64;
}
template <typename Mask>
void clear(Mask& mask, size_t i) {
  mask[i / 64] &= ~(uint64_t{1} << i % 64);
}
template <typename Mask>
bool none_of(const Mask& mask) {
  return std::all_of(mask.begin(), mask.end(), [](uint64_t word) { return word == 0; });
}

}  // namespace

void Binder::add(framework::Profile& profile, model::PodId pod) {
  BERTH_ASSERT(!full());
  const model::PodRecord& record = cluster_.pod(pod);
  BERTH_ASSERT(record.placed());
  pods_.push_back({pod, &profile, record.slot, record.namespace_name, record.name, 0, nullptr});
}

std::vector<model::PodId> Binder::pods() const {
  std::vector<model::PodId> all;
  for (const Placement& placement : pods_) all.push_back(placement.pod);
  return all;
}

void Binder::group() {
  used_groups_ = 0;
  for (auto i = static_cast<uint32_t>(ran_); i < pods_.size(); ++i) {
    const auto used = groups_.begin() + static_cast<long>(used_groups_);
    auto at = std::find_if(groups_.begin(), used,
                           [&](const Group& group) { return group.profile == pods_[i].profile; });
    if (at == used) {
      if (used == groups_.end()) groups_.emplace_back();
      Group& fresh = groups_[used_groups_++];
      fresh.profile = pods_[i].profile;
      fresh.members.clear();
      fresh.records.clear();
      fresh.rows.clear();
      at = groups_.begin() + static_cast<long>(used_groups_) - 1;
    }
    at->members.push_back(i);
    at->records.push_back(&cluster_.pod(pods_[i].pod));
    at->rows.push_back(cluster_.nodes().node(pods_[i].slot).row);
  }
}

template <typename Hook>
berth_call Binder::call(Hook& hook, const Group& group, const Mask& mask) {
  hook.bound.gather_pods(nullptr, group.records, group.rows, columns_);
  berth_call call = framework::BoundHook::call(columns_, group.members.size(), nullptr, 0);
  call.mask = mask.data();
  return call;
}

void Binder::fail(uint32_t pod, std::string message) {
  completions_[pod].outcome = Completion::Outcome::kFailed;
  completions_[pod].message = std::move(message);
}

// The contract asks for one text for each position that failed, in their order. If a plugin wrote
// another number of texts, each failed pod gets all of them.
Binder::Mask Binder::fail(const Group& group, const Mask& mask, const char* point,
                          const std::string& plugin, const host::CallError& error,
                          const host::CallContext& calls) {
  Mask stay = mask;
  size_t failed = 0;
  for (size_t i = 0; i < group.members.size(); ++i)
    if (has(mask, i) && (error || (codes_[i] != BERTH_SUCCESS && codes_[i] != BERTH_SKIP))) {
      clear(stay, i);
      ++failed;
    }
  if (failed == 0) return stay;
  const bool own_texts = !error && calls.texts() == failed;
  size_t next = 0;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(mask, i) || has(stay, i)) continue;
    const std::string_view text = error       ? std::string_view(error.text())
                                  : own_texts ? calls.text(next++)
                                              : std::string_view(calls.text());
    const bool refused = !error && codes_[i] != BERTH_ERROR;
    fail(group.members[i], refused ? std::string(text)
                                   : std::string("running ") + point + " plugin \"" + plugin +
                                         "\": " + std::string(text));
    if (refused) completions_[group.members[i]].outcome = Completion::Outcome::kRefused;
    clear(open_, i);
  }
  return stay;
}

void Binder::tell(const Group& group, const Mask& mask, PlacementCall::Point point,
                  std::string_view plugin, const host::CallError* error) {
  if (observer_ == nullptr) return;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(mask, i)) continue;
    const Placement& of = pods_[group.members[i]];
    PlacementCall call{point, plugin, of.pod, cluster_.text(cluster_.nodes().node(of.slot).name)};
    if (error != nullptr) call.code = *error ? uint8_t{BERTH_ERROR} : codes_[i];
    observer_->called(call);
  }
}

void Binder::pre_bind(const Group& group, host::CallContext& calls) {
  for (auto& hook : group.profile->pre_bind) {
    if (none_of(open_)) return;
    const std::string& plugin = hook.point->plugin();
    codes_.assign(group.members.size(), BERTH_SUCCESS);
    berth_call flight = call(hook, group, open_);
    host::CallError error = hook.point->pre_flight(calls, flight, codes_);
    Mask wanted = fail(group, open_, "PreBind", plugin, error, calls);
    for (size_t i = 0; i < group.members.size(); ++i)
      if (codes_[i] == BERTH_SKIP) clear(wanted, i);
    if (none_of(wanted)) continue;
    codes_.assign(group.members.size(), BERTH_SUCCESS);
    berth_call work = call(hook, group, wanted);
    error = hook.point->call(calls, work, codes_);
    tell(group, wanted, PlacementCall::Point::kPreBind, plugin, &error);
    fail(group, wanted, "PreBind", plugin, error, calls);
  }
}

// No plugin is asked about a pod that an extender binds. The extender tells the API server itself;
// the binding is written all the same, because readers of the output know of no extenders.
void Binder::bind_by_extenders(const Group& group) {
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(open_, i)) continue;
    const uint32_t pod = group.members[i];
    const model::StringId node = cluster_.nodes().node(pods_[pod].slot).name;
    framework::ExtenderBinding answer = extenders_->bind(*group.records[i], cluster_.text(node));
    if (answer.extender.empty()) continue;
    clear(open_, i);
    completions_[pod].extender = std::move(answer.extender);
    if (!answer.error.empty()) {
      fail(pod, std::move(answer.error));
      continue;
    }
    completions_[pod].outcome = Completion::Outcome::kBound;
    pods_[pod].written_to = node;
    pods_[pod].bound_by = &completions_[pod].extender;
  }
}

// The first plugin that does not skip a pod decides on it.
void Binder::bind(const Group& group, host::CallContext& calls) {
  for (auto& hook : group.profile->bind) {
    if (none_of(open_)) return;
    codes_.assign(group.members.size(), BERTH_SKIP);
    cursor_ = group.members.front();
    berth_call batch = call(hook, group, open_);
    host::CallError error = hook.point->call(calls, batch, codes_);
    const Mask stay = fail(group, open_, "Bind", hook.point->plugin(), error, calls);
    for (size_t i = 0; i < group.members.size(); ++i) {
      if (!has(stay, i) || codes_[i] != BERTH_SUCCESS) continue;
      completions_[group.members[i]].outcome = Completion::Outcome::kBound;
      pods_[group.members[i]].bound_by = &hook.point->plugin();
      clear(open_, i);
    }
  }
  for (size_t i = 0; i < group.members.size(); ++i)
    if (has(open_, i))
      fail(group.members[i], "no Bind plugin bound the pod: all of them skipped it");
}

void Binder::write_to_sink() {
  if (sink_ == nullptr) return;
  for (auto i = static_cast<uint32_t>(ran_); i < pods_.size(); ++i) {
    if (!is_bound(i) || pods_[i].written_to == 0) continue;
    BindAnswer answer =
        sink_->bind(cluster_.text(pods_[i].namespace_name), cluster_.text(pods_[i].name),
                    cluster_.text(pods_[i].written_to));
    if (answer.kind == BindAnswer::Kind::kBound) continue;
    fail(i, "running Bind plugin \"" + *pods_[i].bound_by + "\": " + answer.message);
    if (answer.kind == BindAnswer::Kind::kLost)
      completions_[i].outcome = Completion::Outcome::kLost;
    if (answer.kind == BindAnswer::Kind::kLostSeen)
      completions_[i].outcome = Completion::Outcome::kLostSeen;
  }
}

// For information only: an error of the plugin changes nothing and is counted with it.
void Binder::post_bind(const Group& group, host::CallContext& calls) {
  Mask bound{};
  for (size_t i = 0; i < group.members.size(); ++i)
    if (is_bound(group.members[i])) set(bound, i);
  if (none_of(bound)) return;
  for (auto& hook : group.profile->post_bind) {
    berth_call batch = call(hook, group, bound);
    static_cast<void>(hook.point->call(calls, batch));
    tell(group, bound, PlacementCall::Point::kPostBind, hook.point->plugin(), nullptr);
  }
}

void Binder::run(host::CallContext& calls) {
  if (ran_ == pods_.size()) return;
  if (ran_ == 0) completions_.clear();
  for (size_t i = ran_; i < pods_.size(); ++i)
    completions_.push_back({pods_[i].pod, pods_[i].profile, Completion::Outcome::kFailed, {}});
  group();
  const std::span<const Group> groups(groups_.data(), used_groups_);
  for (const Group& group : groups) {
    open_ = {};
    for (size_t i = 0; i < group.members.size(); ++i) set(open_, i);
    pre_bind(group, calls);
    if (extenders_ != nullptr && extenders_->binds()) bind_by_extenders(group);
    bind(group, calls);
  }
  write_to_sink();
  for (const Group& group : groups) post_bind(group, calls);
  ran_ = pods_.size();
}

std::span<Completion> Binder::flush(host::CallContext& calls) {
  if (pods_.empty()) return {};
  run(calls);
  pods_.clear();
  ran_ = 0;
  return completions_;
}

bool Binder::write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) {
  for (size_t i = 0; i < pods.size(); ++i) {
    const model::PodId pod = model::PodId::from_handle(pods[i]);
    // Plugins bind in the order of the call, so the pod is nearly always the next one.
    size_t looked_at = 0;
    while (looked_at < pods_.size() && pods_[cursor_ % pods_.size()].pod != pod) {
      ++cursor_;
      ++looked_at;
    }
    if (looked_at == pods_.size()) return false;
    pods_[cursor_ % pods_.size()].written_to = nodes[i];
    cursor_ = (cursor_ + 1) % pods_.size();
  }
  return true;
}

}  // namespace berth::binding
