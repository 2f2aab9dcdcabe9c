// PreBind of the pods of a batch: who has something to do, the calls, and who waits.
//
// Hooks are called in steps, one after the other. A step is one hook, or neighbours that may work
// at the same time: a pod that waits for some of them is asked about the others all the same, and
// goes on to the next step when it waits for none.
//
// Source: kube-scheduler framework.go RunPreBindPreFlights, RunPreBindPlugins.

#include <algorithm>
#include <utility>

#include "engine/base/text/go_duration.h"
#include "engine/binding/batch_parts.h"
#include "engine/binding/binding_batch.h"

namespace berth::binding {

PreBindWait::Hook* PreBindWait::find(size_t hook) {
  const auto at = std::ranges::find(hooks, hook, &Hook::hook);
  return at == hooks.end() ? nullptr : &*at;
}

void PreBindWait::done(size_t hook) {
  called = std::max(called, hook + 1);
  std::erase_if(hooks, [&](const Hook& waits) { return waits.hook == hook; });
}

// Notes the pods that the hook's PreFilter skipped. True if it skipped all of them.
bool BindingBatch::skip_unconcerned(Group& group, size_t index) {
  size_t skipped = 0;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (index >= kSkippable || (group.skipped[i] >> index & 1) == 0) continue;
    set(group.skips[index], i);
    ++skipped;
  }
  return skipped == group.members.size();
}

// A pod that waited was asked before its first call.
void BindingBatch::ask_pre_flight(Group& group, size_t index, host::CallContext& calls) {
  Mask asked = group.open;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (has(group.skips[index], i)) clear(asked, i);
    if (!has(asked, i) || group.wait[i] == nullptr) continue;
    if (group.wait[i]->skips[index]) set(group.skips[index], i);
    clear(asked, i);
  }
  if (none_of(asked)) return;
  const host::PreBind& hook = *group.profile->pre_bind[index].point;
  codes_.assign(group.members.size(), BERTH_SUCCESS);
  berth_call flight = call(group.pre_bind[index], group, asked);
  const host::CallError error = hook.pre_flight(calls, flight, codes_);
  const char* const what = rules.announces ? kPreFlight : kPreBindPlugin;
  const Mask stay = fail(group, asked, what, hook.plugin(), error, calls);
  for (size_t i = 0; i < group.members.size(); ++i)
    if (has(stay, i) && codes_[i] == BERTH_SKIP) set(group.skips[index], i);
}

// Of the pods whose cycle begins here, those stay noted for which some hook has something to do.
void BindingBatch::note_work(const Group& group) {
  for (size_t i = 0; i < group.members.size(); ++i) {
    bool& announced = completions_[group.members[i]].announced;
    announced = announced && has(group.open, i) &&
                std::ranges::any_of(group.skips, [&](const Mask& skips) { return !has(skips, i); });
  }
}

bool BindingBatch::begins_step(const Group& group, size_t hook) const {
  const auto& hooks = group.profile->pre_bind;
  return hook == 0 || !rules.overlaps || !hooks[hook - 1].point->parallel() ||
         !hooks[hook].point->parallel();
}

void BindingBatch::pre_bind(Group& group, host::CallContext& calls) {
  hold_those_not_due(group);
  for (size_t hook = 0; hook < group.profile->pre_bind.size(); ++hook) {
    if (begins_step(group, hook)) leave_held(group, hook);
    if (none_of(group.open)) return;
    pre_bind(group, hook, calls);
  }
  leave_held(group, group.profile->pre_bind.size());
}

void BindingBatch::hold_those_not_due(Group& group) {
  for (size_t i = 0; i < group.members.size(); ++i) {
    const PreBindWait* wait = group.wait[i].get();
    if (wait != nullptr && !std::ranges::all_of(wait->hooks, &PreBindWait::Hook::due))
      set(group.held, i);
  }
}

// True if the hook is to be called for the pod now.
bool BindingBatch::asks(const Group& group, size_t position, size_t index) {
  if (has(group.skips[index], position)) return false;
  PreBindWait* wait = group.wait[position].get();
  if (wait == nullptr || index >= wait->called) return true;
  const PreBindWait::Hook* waits = wait->find(index);
  return waits != nullptr && waits->due;
}

void BindingBatch::pre_bind(Group& group, size_t index, host::CallContext& calls) {
  Mask wanted = group.open;
  waited_.assign(group.members.size(), 0);
  again_.assign(group.members.size(), 0);
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(wanted, i)) continue;
    if (!asks(group, i, index)) clear(wanted, i);
    if (group.wait[i] == nullptr) continue;
    if (const PreBindWait::Hook* waits = group.wait[i]->find(index))
      waited_[i] = waits->waited.count();
  }
  if (none_of(wanted)) return;
  for (size_t word = 0; word < wanted.size(); ++word) group.pre_bound[word] |= wanted[word];
  const host::PreBind& hook = *group.profile->pre_bind[index].point;
  codes_.assign(group.members.size(), BERTH_SUCCESS);
  berth_call work = call(group.pre_bind[index], group, wanted);
  const host::CallError error = hook.call(calls, work, codes_, waited_, again_);
  note(group, wanted, PlacementCall::Point::kPreBind, hook.plugin(), &error);
  const Mask stay = fail(group, wanted, kPreBindPlugin, hook.plugin(), error, calls);
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(stay, i)) continue;
    if (codes_[i] == BERTH_WAIT)
      hold(group, i, index);
    else if (group.wait[i] != nullptr)
      group.wait[i]->done(index);
  }
}

// The pod waits for this hook: it is not bound now.
void BindingBatch::hold(Group& group, size_t position, size_t index) {
  const host::PreBind& hook = *group.profile->pre_bind[index].point;
  const Time limit(hook.wait_limit_nanoseconds());
  if (Time(waited_[position]) >= limit) {
    clear(group.open, position);
    return fail(group.members[position], running(kPreBindPlugin, hook.plugin()) +
                                             "the pod has waited for " + go_duration(limit) +
                                             ", which is the limit");
  }
  std::unique_ptr<PreBindWait>& wait = group.wait[position];
  if (wait == nullptr) {
    wait = std::make_unique<PreBindWait>();
    for (const Mask& skips : group.skips) wait->skips.push_back(has(skips, position));
  }
  wait->called = std::max(wait->called, index + 1);
  PreBindWait::Hook* waits = wait->find(index);
  if (waits == nullptr) waits = &wait->hooks.emplace_back();
  waits->hook = index;
  waits->again = Time(again_[position]);
  waits->answered = true;
  waits->due = false;
  set(group.held, position);
}

// Pods that wait for hooks before this one, which begins a step, do not go on now.
void BindingBatch::leave_held(Group& group, size_t hook) {
  if (none_of(group.held)) return;
  for (size_t i = 0; i < group.members.size(); ++i) {
    if (!has(group.held, i) || !has(group.open, i) || group.wait[i]->called > hook) continue;
    Completion& completion = completions_[group.members[i]];
    completion.outcome = Completion::Outcome::kWaits;
    completion.wait = std::move(group.wait[i]);
    clear(group.open, i);
    clear(group.held, i);
  }
}

}  // namespace berth::binding
