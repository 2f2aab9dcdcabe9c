#pragma once

// One profile at work: its plugin instances and their hooks in order, bound to the model.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/framework/hooks/bound_hook.h"
#include "engine/host/instance/instance.h"

namespace berth::framework {

// A plugin at a point: its name, and its weight where the point is Score.
struct PluginAt {
  std::string name;
  int32_t weight = 1;
};

// The plugins of a profile per point, in order, as configuration worked them out.
struct ProfilePlan {
  std::string scheduler_name;
  std::optional<int32_t> percentage_of_nodes_to_score;
  std::array<std::vector<PluginAt>, host::kPointCount> plugins;  // use at()

  std::vector<PluginAt>& at(host::Point point) { return plugins[static_cast<size_t>(point)]; }
};

inline constexpr size_t kNoHook = SIZE_MAX;

template <typename Point>
struct HookAt {
  HookAt(const Point& checked, model::Cluster& cluster)
      : point(&checked), bound(checked, cluster) {}

  const Point* point;  // the checked calls
  BoundHook bound;
  int64_t weight = 1;  // Score
  size_t before =
      kNoHook;  // Filter: the plugin's PreFilter, Score: its PreScore, in the profile's list
  size_t pre_filter = kNoHook;  // Filter, PreScore, Score: the plugin's PreFilter
};

class Profile {
 public:
  // Precondition: an instance for each name in the plan, which implements each point it is named
  // at.
  Profile(ProfilePlan plan, std::vector<std::unique_ptr<host::Instance>> instances,
          model::Cluster& cluster);
  ~Profile();

  const std::string& scheduler_name() const { return plan_.scheduler_name; }
  const std::optional<int32_t>& percentage_of_nodes_to_score() const {
    return plan_.percentage_of_nodes_to_score;
  }
  const std::vector<std::unique_ptr<host::Instance>>& instances() const { return instances_; }

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

  // Calls visit(BoundHook&) for each hook.
  template <typename Visit>
  void for_each_hook(Visit&& visit) {
    const auto all = [&](auto& hooks) {
      for (auto& hook : hooks) visit(hook.bound);
    };
    all(pre_enqueue), all(queue_sort), all(pre_filter), all(filter), all(post_filter);
    all(pre_score), all(score), all(reserve), all(permit), all(pre_bind), all(bind), all(post_bind);
  }

  // Keeps what hooks cached per row within `bytes`, by forgetting all of it.
  void bound_caches(size_t bytes);

 private:
  const host::Instance& instance(const std::string& name) const;

  // Calls visit(hooks, point, get) for each point that a plan may name: its hooks, and the member
  // of host::Instance that returns a plugin's calls at the point. The order is that of host::Point.
  template <typename Visit>
  void for_each_point(Visit&& visit);

  ProfilePlan plan_;
  std::vector<std::unique_ptr<host::Instance>> instances_;
};

}  // namespace berth::framework
