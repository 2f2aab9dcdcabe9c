#include "engine/framework/hooks/profile.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

template <typename Point>
size_t index_of(const std::vector<HookAt<Point>>& hooks, const std::string& plugin) {
  for (size_t i = 0; i < hooks.size(); ++i)
    if (hooks[i].point->plugin() == plugin) return i;
  return kNoHook;
}

}  // namespace

PluginHooks PluginHooks::of(const host::Instance& instance) {
  return {.name = instance.name(),
          .pre_enqueue = instance.pre_enqueue(),
          .queue_sort = instance.queue_sort(),
          .pre_filter = instance.pre_filter(),
          .filter = instance.filter(),
          .post_filter = instance.post_filter(),
          .pre_score = instance.pre_score(),
          .score = instance.score(),
          .reserve = instance.reserve(),
          .permit = instance.permit(),
          .pre_bind = instance.pre_bind(),
          .bind = instance.bind(),
          .post_bind = instance.post_bind(),
          .overlay_state = instance.overlay_state()};
}

Profile::Profile(ProfilePlan plan, std::vector<std::unique_ptr<host::Instance>> instances,
                 model::Cluster& cluster)
    : plan_(std::move(plan)), instances_(std::move(instances)) {
  std::vector<PluginHooks> plugins;
  for (const auto& instance : instances_) plugins.push_back(PluginHooks::of(*instance));
  bind_all(plugins, cluster);
}

Profile::Profile(ProfilePlan plan, std::span<const PluginHooks> plugins, model::Cluster& cluster)
    : plan_(std::move(plan)) {
  bind_all(plugins, cluster);
}

void Profile::bind_all(std::span<const PluginHooks> plugins, model::Cluster& cluster) {
  const auto find = [&](const std::string& name) -> const PluginHooks& {
    auto at = std::find_if(plugins.begin(), plugins.end(),
                           [&](const PluginHooks& plugin) { return plugin.name == name; });
    BERTH_ASSERT(at != plugins.end());
    return *at;
  };
  const auto bind_at = [&](auto& hooks, const std::vector<PluginAt>& enabled, auto point) {
    for (const PluginAt& plugin : enabled) {
      const auto* checked = find(plugin.name).*point;
      BERTH_ASSERT(checked != nullptr);
      hooks.emplace_back(*checked, cluster);
      hooks.back().weight = plugin.weight;
    }
  };
  using P = PluginHooks;
  bind_at(pre_enqueue, plan_.pre_enqueue, &P::pre_enqueue);
  bind_at(queue_sort, plan_.queue_sort, &P::queue_sort);
  bind_at(pre_filter, plan_.pre_filter, &P::pre_filter);
  bind_at(filter, plan_.filter, &P::filter);
  bind_at(post_filter, plan_.post_filter, &P::post_filter);
  bind_at(pre_score, plan_.pre_score, &P::pre_score);
  bind_at(score, plan_.score, &P::score);
  bind_at(reserve, plan_.reserve, &P::reserve);
  bind_at(permit, plan_.permit, &P::permit);
  bind_at(pre_bind, plan_.pre_bind, &P::pre_bind);
  bind_at(bind, plan_.bind, &P::bind);
  bind_at(post_bind, plan_.post_bind, &P::post_bind);
  // No configuration names this point: whoever filters and implements it has it.
  for (auto& hook : filter) {
    const PluginHooks& plugin = find(hook.point->plugin());
    if (plugin.overlay_state == nullptr || !hook.point->prepares()) continue;
    hook.overlay = overlay_state.size();
    overlay_state.emplace_back(*plugin.overlay_state, cluster);
  }
  link_hooks();
}

void Profile::link_hooks() {
  for (auto& hook : filter)
    hook.before = hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : pre_score) hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : score) {
    hook.before = index_of(pre_score, hook.point->plugin());
    hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  }
}

// Hooks hold states of plugins, which must go before the instances; members are destroyed in
// reverse order of their declaration, and the hooks are declared first.
Profile::~Profile() {
  pre_enqueue.clear();
  queue_sort.clear();
  pre_filter.clear();
  filter.clear();
  post_filter.clear();
  pre_score.clear();
  score.clear();
  reserve.clear();
  permit.clear();
  pre_bind.clear();
  bind.clear();
  post_bind.clear();
  overlay_state.clear();
}

void Profile::bound_caches(size_t bytes) {
  size_t held = 0;
  for (const auto& hook : filter) held += hook.bound.cached_bytes();
  for (const auto& hook : score) held += hook.bound.cached_bytes();
  if (held <= bytes) return;
  for (auto& hook : filter) hook.bound.drop_caches();
  for (auto& hook : score) hook.bound.drop_caches();
}

// Kept raw scores carry the version of the PreScore state that they follow, and a state that comes
// back after it was dropped counts versions anew: raw scores are dropped with it.
void Profile::collect_if_grown() {
  for (auto& hook : pre_filter)
    if (hook.bound.grown()) hook.bound.collect();
  for (auto& hook : filter)
    if (hook.bound.grown()) hook.bound.collect();
  for (auto& hook : score)
    if (hook.bound.grown()) hook.bound.collect();
  for (size_t i = 0; i < pre_score.size(); ++i) {
    if (!pre_score[i].bound.grown() || pre_score[i].bound.collect() == 0) continue;
    for (auto& hook : score)
      if (hook.before == i) hook.bound.drop_caches();
  }
}

}  // namespace berth::framework
