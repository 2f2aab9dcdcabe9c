#include "engine/binding/binding_batch.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/binding/batch_parts.h"

namespace berth::binding {

uint64_t skipped_pre_binds(const framework::DecisionContext& cycle) {
  const auto& hooks = cycle.profile->pre_bind;
  uint64_t skips = 0;
  for (size_t i = 0; i < hooks.size() && i < kSkippable; ++i)
    if (!cycle.calls(hooks[i])) skips |= uint64_t{1} << i;
  return skips;
}

BindingBatch::Group& BindingBatch::group_of(framework::Profile* profile) {
  const auto used = groups_.begin() + static_cast<long>(used_groups_);
  const auto at = std::find_if(groups_.begin(), used,
                               [&](const Group& group) { return group.profile == profile; });
  if (at != used) return *at;
  if (used == groups_.end()) groups_.emplace_back();
  Group& fresh = groups_[used_groups_++];
  fresh.profile = profile;
  fresh.members.clear();
  fresh.records.clear();
  fresh.wait.clear();
  fresh.skipped.clear();
  fresh.open = fresh.held = fresh.pre_bound = fresh.reached_bind = fresh.flown = {};
  return fresh;
}

void BindingBatch::start(std::span<Bindable> pods) {
  BERTH_ASSERT(pods.size() <= kMostPods);
  placements_.clear();
  completions_.clear();
  calls_made_.clear();
  used_groups_ = 0;
  cursor_ = 0;
  const auto name_of = [&](const model::PodRecord& record) -> const model::StringId& {
    BERTH_ASSERT(record.placed());
    return cluster_.nodes().node(record.slot).name;
  };
  // Nodes are far apart in memory, so the node of a later pod is prefetched.
  constexpr size_t kAhead = 8;
  for (size_t i = 0; i < pods.size(); ++i) {
    if (i + kAhead < pods.size()) __builtin_prefetch(&name_of(cluster_.pod(pods[i + kAhead].pod)));
    Bindable& one = pods[i];
    const model::PodRecord& record = cluster_.pod(one.pod);
    Group& group = group_of(one.profile);
    if (one.number != 0) set(group.open, group.members.size());
    group.members.push_back(static_cast<uint32_t>(placements_.size()));
    group.records.push_back(&record);
    const bool begins = one.number != 0 && one.wait == nullptr;
    if (rules.announces && begins) set(group.flown, group.members.size() - 1);
    group.wait.push_back(std::move(one.wait));
    group.skipped.push_back(one.skips);
    placements_.push_back(
        {one.pod, record.namespace_name, record.name, record.uid, name_of(record), 0, nullptr});
    Completion& completion = completions_.emplace_back();  // fails until it is bound
    completion.pod = one.pod;
    completion.profile = one.profile;
    completion.number = one.number;
    completion.announced = rules.announces && begins && !one.announced;
    if (one.number == 0) completion.outcome = Completion::Outcome::kTold;
  }
}

// A message about a fault names one pod and counts the others.
host::AboutPod BindingBatch::first_pod(const Group& group) const {
  const Placement& first = placements_[group.members.front()];
  return {cluster_.text(first.namespace_name), cluster_.text(first.name),
          host::AboutPod::Of::kThread, group.members.size() - 1};
}

void BindingBatch::gather(std::span<Bindable> pods, Columns columns, host::CallContext& calls) {
  start(pods);
  for (size_t i = 0; i < used_groups_; ++i) gather(groups_[i], columns, calls);
}

void BindingBatch::gather(Group& group, Columns columns, host::CallContext& calls) {
  const host::AboutPod about = first_pod(group);
  rows_.clear();
  for (const model::PodRecord* record : group.records)
    rows_.push_back(cluster_.nodes().row_of(record->slot));
  const auto gather_one = [&](framework::BoundHook& hook, framework::CallColumns& out) {
    hook.gather_pods(nullptr, group.records, rows_, out);
    if (columns == Columns::kCopies) hook.copy_tables(out);
  };
  const auto gather_for = [&](auto& hooks, std::vector<framework::CallColumns>& out) {
    out.resize(hooks.size());
    for (size_t i = 0; i < hooks.size(); ++i) gather_one(hooks[i].bound, out[i]);
  };
  auto& hooks = group.profile->pre_bind;
  group.pre_bind.resize(hooks.size());
  group.skips.assign(hooks.size(), {});
  if (rules.announces) group.times.flight_begins = now();
  for (size_t i = 0; i < hooks.size(); ++i) {
    if (skip_unconcerned(group, i)) continue;
    gather_one(hooks[i].bound, group.pre_bind[i]);
    ask_pre_flight(group, i, calls);
  }
  if (rules.announces) group.times.flight_ends = now();
  for (size_t word = 0; word < group.flown.size(); ++word)
    group.grounded[word] = group.flown[word] & ~group.open[word];
  if (rules.announces) note_work(group);
  gather_for(group.profile->bind, group.bind);
  gather_for(group.profile->post_bind, group.post_bind);
}

berth_call BindingBatch::call(const framework::CallColumns& columns, const Group& group,
                              const Mask& mask) {
  berth_call call = framework::BoundHook::call(columns, group.members.size(), nullptr, 0);
  call.mask = mask.data();
  return call;
}

void BindingBatch::fail(uint32_t pod, std::string message) {
  completions_[pod].outcome = Completion::Outcome::kFailed;
  completions_[pod].message = std::move(message);
}

// The contract asks for one text for each position that failed, in their order. If a plugin wrote
// another number of texts, each failed pod gets all of them.
BindingBatch::Mask BindingBatch::fail(Group& group, const Mask& mask, const char* point,
                                      const std::string& plugin, const host::CallError& error,
                                      const host::CallContext& calls) {
  Mask stay = mask;
  size_t failed = 0;
  for (size_t i = 0; i < group.members.size(); ++i)
    if (has(mask, i) && (error || (codes_[i] != BERTH_SUCCESS && codes_[i] != BERTH_SKIP &&
                                   codes_[i] != BERTH_WAIT))) {
      clear(stay, i);
      ++failed;
    }
  if (failed == 0) return stay;
  const bool own_texts = !error && calls.texts() == failed;
  const std::string of_call = error ? error.text_about([&](size_t position) {
    const Placement& of = placements_[group.members[position]];
    return "pod \"" + std::string(cluster_.text(of.namespace_name)) + "/" +
           std::string(cluster_.text(of.name)) + '"';
  })
                                    : std::string();
  size_t next = 0;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(mask, i) || has(stay, i)) continue;
    const bool refused = !error && codes_[i] != BERTH_ERROR;
    const std::string_view text = error       ? std::string_view(of_call)
                                  : own_texts ? calls.text(next++)
                                  : refused   ? std::string_view(calls.text())
                                              : calls.error_text();
    fail(group.members[i], refused ? std::string(text) : running(point, plugin).append(text));
    if (refused) completions_[group.members[i]].outcome = Completion::Outcome::kRefused;
    clear(group.open, i);
  }
  return stay;
}

void BindingBatch::note(const Group& group, const Mask& mask, PlacementCall::Point point,
                        std::string_view plugin, const host::CallError* error) {
  if (!observed_) return;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(mask, i)) continue;
    const Placement& of = placements_[group.members[i]];
    PlacementCall call{point, plugin, of.pod, cluster_.text(of.node)};
    if (error != nullptr) call.code = *error ? uint8_t{BERTH_ERROR} : codes_[i];
    if (call.code == BERTH_WAIT) call.timeout = Time(again_[i]);
    calls_made_.push_back(call);
  }
}

// No plugin is asked about a pod that an extender binds. The extender tells the API server itself;
// the binding is written all the same, because readers of the output know of no extenders.
void BindingBatch::bind_by_extenders(Group& group, framework::Extenders& extenders) {
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(group.open, i)) continue;
    const uint32_t pod = group.members[i];
    const model::StringId node = placements_[pod].node;
    framework::ExtenderBinding answer = extenders.bind(*group.records[i], cluster_.text(node));
    if (answer.extender.empty()) continue;
    clear(group.open, i);
    completions_[pod].extender = std::move(answer.extender);
    if (!answer.error.empty()) {
      fail(pod, std::move(answer.error));
      continue;
    }
    completions_[pod].outcome = Completion::Outcome::kBound;
    placements_[pod].written_to = node;
    placements_[pod].bound_by = &completions_[pod].extender;
  }
}

void BindingBatch::bind(Group& group, host::CallContext& calls) {
  for (size_t index = 0; index < group.profile->bind.size(); ++index) {
    if (none_of(group.open)) return;
    const host::Bind& hook = *group.profile->bind[index].point;
    codes_.assign(group.members.size(), BERTH_SUCCESS);
    const Mask asked = group.open;
    berth_call batch = call(group.bind[index], group, asked);
    const host::CallError error = hook.call(calls, batch, codes_);
    const Mask stay = fail(group, asked, kBindPlugin, hook.plugin(), error, calls);
    for (size_t i = 0; i < group.members.size(); ++i) {
      if (!has(stay, i) || codes_[i] != BERTH_SUCCESS) continue;
      completions_[group.members[i]].outcome = Completion::Outcome::kBound;
      placements_[group.members[i]].bound_by = &hook.plugin();
      clear(group.open, i);
    }
  }
  for (size_t i = 0; i < group.members.size(); ++i)
    if (has(group.open, i))
      fail(group.members[i], "no Bind plugin bound the pod: all of them skipped it");
}

void BindingBatch::write_to_sink(BindingSink& sink) {
  for (uint32_t i = 0; i < placements_.size(); ++i) {
    const Placement& of = placements_[i];
    if (!is_bound(i) || of.written_to == 0) continue;
    take_answer(i, sink.bind({.number = completions_[i].number,
                              .namespace_name = cluster_.text(of.namespace_name),
                              .name = cluster_.text(of.name),
                              .uid = cluster_.text(of.uid),
                              .node = cluster_.text(of.written_to),
                              .by_extender = !completions_[i].extender.empty()}));
  }
}

void BindingBatch::take_answer(uint32_t pod, const BindAnswer& answer) {
  if (answer.kind == BindAnswer::Kind::kBound) return;
  const std::string& bound_by = *placements_[pod].bound_by;
  Completion& completion = completions_[pod];
  if (answer.kind == BindAnswer::Kind::kUnderWay) {
    BERTH_ASSERT(completion.extender.empty());
    completion.outcome = Completion::Outcome::kUnderWay;
    completion.bound_by = bound_by;
    completion.bind_begins = bind_begins_of(pod);
  } else {
    end_with_error(completion, bound_by, answer);
  }
}

void end_with_error(Completion& completion, std::string_view bound_by, const BindAnswer& answer) {
  using Kind = BindAnswer::Kind;
  BERTH_ASSERT(answer.kind != Kind::kBound && answer.kind != Kind::kUnderWay);
  completion.message = running(kBindPlugin, bound_by) + answer.message;
  completion.outcome = answer.kind == Kind::kLost       ? Completion::Outcome::kLost
                       : answer.kind == Kind::kLostSeen ? Completion::Outcome::kLostSeen
                       : answer.kind == Kind::kConflict ? Completion::Outcome::kConflict
                                                        : Completion::Outcome::kFailed;
}

// For information only: an error of the plugin changes nothing and is counted with it.
void BindingBatch::post_bind(Group& group, host::CallContext& calls) {
  Mask bound{};
  for (size_t i = 0; i < group.members.size(); ++i)
    if (is_bound(group.members[i]) || is_told(group.members[i])) set(bound, i);
  if (none_of(bound)) return;
  for (size_t index = 0; index < group.profile->post_bind.size(); ++index) {
    const host::PostBind& hook = *group.profile->post_bind[index].point;
    berth_call batch = call(group.post_bind[index], group, bound);
    static_cast<void>(hook.call(calls, batch));
    note(group, bound, PlacementCall::Point::kPostBind, hook.plugin(), nullptr);
  }
}

void BindingBatch::run(BindingSink* sink, framework::Extenders* extenders,
                       host::CallContext& calls) {
  const std::span<Group> groups(groups_.data(), used_groups_);
  for (Group& group : groups) {
    const host::AboutPod about = first_pod(group);
    group.times.pre_bind_begins = now();
    pre_bind(group, calls);
    group.times.pre_bind_ends = now();
    if (extenders != nullptr) bind_by_extenders(group, *extenders);
    group.reached_bind = group.open;
    group.times.bind_begins = now();
    bind(group, calls);
  }
  if (sink != nullptr) write_to_sink(*sink);
  bound_at_ = now();
  Time before = bound_at_;
  for (Group& group : groups) {
    const host::AboutPod about = first_pod(group);
    post_bind(group, calls);
    group.times.post_bind_begins = before;
    group.times.post_bind_ends = before = now();
  }
}

void BindingBatch::tell_points() const {
  if (points == nullptr) return;
  for (size_t i = 0; i < used_groups_; ++i)
    for (size_t position = 0; position < groups_[i].members.size(); ++position)
      tell_points(groups_[i], position);
}

// Source: kube-scheduler v1.36.2 framework.go RunPreBindPreFlights.
void BindingBatch::tell_flight(const Group& group, size_t position) const {
  if (!has(group.flown, position)) return;
  const bool works =
      std::ranges::any_of(group.skips, [&](const Mask& skips) { return !has(skips, position); });
  const uint8_t code = has(group.grounded, position) ? BERTH_ERROR
                       : works                       ? BERTH_SUCCESS
                                                     : BERTH_SKIP;
  points->asked(framework::TimedPoint::kPreBindPreFlight, *group.profile, code,
                group.times.flight_ends - group.times.flight_begins);
}

void BindingBatch::tell_points(const Group& group, size_t position) const {
  tell_flight(group, position);
  using framework::TimedPoint;
  using Outcome = Completion::Outcome;
  const Completion& completion = completions_[group.members[position]];
  const Outcome outcome = completion.outcome;
  const Times& times = group.times;
  const auto tell = [&](TimedPoint point, uint8_t code, Time took) {
    points->asked(point, *group.profile, code, took);
  };
  const bool reached = has(group.reached_bind, position);
  if (has(group.pre_bound, position)) {
    const bool passed = reached || !completion.extender.empty();
    const uint8_t code = passed                         ? BERTH_SUCCESS
                         : outcome == Outcome::kWaits   ? BERTH_WAIT
                         : outcome == Outcome::kRefused ? BERTH_UNSCHEDULABLE
                                                        : BERTH_ERROR;
    tell(TimedPoint::kPreBind, code, times.pre_bind_ends - times.pre_bind_begins);
  }
  if (reached && outcome != Outcome::kUnderWay)
    tell(TimedPoint::kBind, outcome == Outcome::kBound ? BERTH_SUCCESS : BERTH_ERROR,
         bound_at_ - times.bind_begins);
  if (!group.profile->post_bind.empty() &&
      (outcome == Outcome::kBound || outcome == Outcome::kTold))
    tell(TimedPoint::kPostBind, BERTH_SUCCESS, times.post_bind_ends - times.post_bind_begins);
}

// Of a pod that an answer is about; groups are few.
Time BindingBatch::bind_begins_of(uint32_t pod) const {
  const framework::Profile* profile = completions_[pod].profile;
  const auto group = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& one) { return one.profile == profile; });
  return group->times.bind_begins;
}

bool BindingBatch::write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) {
  BERTH_ASSERT(pods.size() == nodes.size());
  if (placements_.empty()) return pods.empty();
  for (size_t i = 0; i < pods.size(); ++i) {
    const model::PodId pod = model::PodId::from_handle(pods[i]);
    // Plugins bind in the order of the call, so the pod is nearly always the next one.
    size_t looked_at = 0;
    while (looked_at < placements_.size() && placements_[cursor_ % placements_.size()].pod != pod) {
      ++cursor_;
      ++looked_at;
    }
    if (looked_at == placements_.size()) return false;
    placements_[cursor_ % placements_.size()].written_to = nodes[i];
    cursor_ = (cursor_ + 1) % placements_.size();
  }
  return true;
}

}  // namespace berth::binding
