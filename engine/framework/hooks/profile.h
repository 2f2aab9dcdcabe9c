#pragma once

// One profile: the hooks of its plugins, in order, bound to the model.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/points.h"
#include "engine/framework/hooks/pod_kinds.h"
#include "engine/host/instance/instance.h"

namespace berth::framework {

struct ProfilePlan {
  std::string scheduler_name;
  std::optional<int32_t> percentage_of_nodes_to_score;
  PluginsByPoint plugins;
};

// The hooks of one plugin by point; null where it does not implement the point. They outlive the
// profile. Usually those of a host::Instance; a test makes its own.
struct PluginHooks {
  std::string name;
  PerPoint<const host::Hook*> at{};
  std::optional<host::Signing> signing{};  // by what it decides; nothing: it does not say

  static PluginHooks of(const host::Instance& instance);
};

inline constexpr size_t kNoHook = SIZE_MAX;

// One hook of a profile: its checked calls, its binding to the model, and its relation to the other
// hooks of the same plugin. `Point` is a class of checked_calls.h.
template <typename Point>
struct HookAt {
  HookAt(const Point& checked, model::Cluster& cluster)
      : point(&checked), bound(checked, cluster) {}

  const Point* point;  // the checked calls
  BoundHook bound;
  int64_t weight = 1;  // Score
  // Hooks of the same plugin, as indices into the profile's lists.
  // The hook is not called for a pod that this one skips. Filter: its PreFilter. Score: its
  // PreScore. Reserve and PreBind: its PreFilter, if they follow that.
  size_t before = kNoHook;
  size_t pre_filter = kNoHook;  // Filter, PostFilter, PreScore, Score: its PreFilter
  size_t overlay = kNoHook;     // Filter: its OverlayState
};

// A plugin that can refuse pods: it implements PreEnqueue, PreFilter, Filter, Reserve or Permit.
struct RefusingPlugin {
  explicit RefusingPlugin(std::string name) : plugin(std::move(name)) {}

  std::string plugin;
  size_t hints = kNoHook;  // index into Profile::hints
};

// The thread that owns the model modifies a profile. Other threads may call its hooks during an
// evaluation, through states that were resolved before.
class Profile {
 public:
  // The cluster outlives the profile. Precondition: there is an instance for each name in the plan,
  // and it implements each point at which the plan names it.
  Profile(ProfilePlan plan, std::vector<std::unique_ptr<host::Instance>> instances,
          model::Cluster& cluster);
  // The same with hooks that the caller owns and that outlive the profile; instances() is empty.
  Profile(ProfilePlan plan, std::span<const PluginHooks> plugins, model::Cluster& cluster);
  ~Profile();

  const std::string& scheduler_name() const { return plan_.scheduler_name; }
  const std::optional<int32_t>& percentage_of_nodes_to_score() const {
    return plan_.percentage_of_nodes_to_score;
  }
  const std::vector<std::unique_ptr<host::Instance>>& instances() const { return instances_; }

  // The hooks by point, in the order of the configuration. The lists do not change after
  // construction.
  std::vector<HookAt<host::PreEnqueue>> pre_enqueue;
  std::vector<HookAt<host::QueueSort>> queue_sort;
  std::vector<HookAt<host::PreFilter>> pre_filter;
  std::vector<HookAt<host::Filter>> filter;
  std::vector<HookAt<host::PostFilter>> post_filter;
  std::vector<HookAt<host::PreScore>> pre_score;
  std::vector<HookAt<host::Score>> score;
  std::vector<HookAt<host::Reserve>> reserve;
  std::vector<HookAt<host::Permit>> permit;
  std::vector<HookAt<host::PreBind>> pre_bind;
  std::vector<HookAt<host::Bind>> bind;
  std::vector<HookAt<host::PostBind>> post_bind;
  // The overlay hooks of the plugins in `filter` whose Filter prepares a state: the overlay hook
  // copies that state and applies added and removed pods to the copy.
  std::vector<HookAt<host::OverlayState>> overlay_state;
  // Hints hooks of the plugins that can refuse pods, and these plugins; in order of the instances.
  std::vector<HookAt<host::Hints>> hints;
  std::vector<RefusingPlugin> refusers;
  // Those of all plugins that have one, in order of the instances.
  std::vector<HookAt<host::Observe>> observe;

  // Calls visit(BoundHook&) for each hook.
  template <typename Visit>
  void for_each_hook(Visit&& visit) {
    const auto all = [&](auto& hooks) {
      for (auto& hook : hooks) visit(hook.bound);
    };
    for_each_point(all);
    all(overlay_state), all(hints), all(observe);
  }

  // By which parts of pods the plugins in `pre_filter`, `filter`, `pre_score` and `score` decide;
  // nothing: some of them does not say.
  const std::optional<host::Signing>& signing() const { return signing_; }

  // True if some Filter or Score is of a plugin that runs in a process of its own.
  bool is_apart() const { return is_apart_; }

  // The kind of the pod for the hooks of a decision. Valid until the next call, and until a hook of
  // the profile drops states.
  PodKind& kind_of(const model::PodRecord& pod) { return kinds_.of(pod, forgotten_); }

  // Differs after a hook dropped states: until then the address of a state stands for it.
  uint64_t forgotten() const { return forgotten_; }
  // Returns a number that it did not return before, from 1: identifies one resolution of the
  // profile's filters (DecisionContext::resolution), or one set of feasible rows.
  uint64_t count_resolution() { return ++resolutions_; }

  // Between decisions: drops template states that were not used for long, once their number makes
  // that worth it (see bound_hook.h). Nothing may refer to a state of this profile.
  void collect_if_grown();

 private:
  // Calls visit(hooks) for the list of each point that configurations name, in the order of Point.
  template <typename Visit>
  void for_each_point(Visit&& visit) {
    const auto each = [&](auto&... hooks) { (visit(hooks), ...); };
    each(pre_enqueue, queue_sort, pre_filter, filter, post_filter, pre_score, score, reserve,
         permit, pre_bind, bind, post_bind);
  }
  void bind_all(std::span<const PluginHooks> plugins, model::Cluster& cluster);
  void bind_hints(const PluginHooks& plugin, model::Cluster& cluster);
  void link_hooks();
  void bind_signing(std::span<const PluginHooks> plugins);

  ProfilePlan plan_;
  std::vector<std::unique_ptr<host::Instance>> instances_;
  bool is_apart_ = false;
  std::optional<host::Signing> signing_;
  uint64_t resolutions_ = 0;
  uint64_t forgotten_ = 1;  // raised by hooks that drop states
  PodKinds kinds_;
};

}  // namespace berth::framework
