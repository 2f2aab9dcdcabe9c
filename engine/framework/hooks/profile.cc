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

Profile::Profile(ProfilePlan plan, std::vector<std::unique_ptr<host::Instance>> instances,
                 model::Cluster& cluster)
    : plan_(std::move(plan)), instances_(std::move(instances)) {
  auto bind_all = [&](auto& hooks, const std::vector<PluginAt>& plugins, auto get) {
    for (const PluginAt& plugin : plugins) {
      const auto* point = (instance(plugin.name).*get)();
      BERTH_ASSERT(point != nullptr);
      hooks.emplace_back(*point, cluster);
      hooks.back().weight = plugin.weight;
    }
  };
  using I = host::Instance;
  bind_all(pre_enqueue, plan_.pre_enqueue, &I::pre_enqueue);
  bind_all(queue_sort, plan_.queue_sort, &I::queue_sort);
  bind_all(pre_filter, plan_.pre_filter, &I::pre_filter);
  bind_all(filter, plan_.filter, &I::filter);
  bind_all(post_filter, plan_.post_filter, &I::post_filter);
  bind_all(pre_score, plan_.pre_score, &I::pre_score);
  bind_all(score, plan_.score, &I::score);
  bind_all(reserve, plan_.reserve, &I::reserve);
  bind_all(permit, plan_.permit, &I::permit);
  bind_all(pre_bind, plan_.pre_bind, &I::pre_bind);
  bind_all(bind, plan_.bind, &I::bind);
  bind_all(post_bind, plan_.post_bind, &I::post_bind);
  for (auto& hook : filter)
    hook.before = hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : pre_score) hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : score) {
    hook.before = index_of(pre_score, hook.point->plugin());
    hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  }
}

// Hooks hold states of plugins, which must go before the instances: members go in reverse order of
// their declaration, and the hooks are declared first.
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
}

const host::Instance& Profile::instance(const std::string& name) const {
  auto at = std::find_if(instances_.begin(), instances_.end(),
                         [&](const auto& i) { return i->name() == name; });
  BERTH_ASSERT(at != instances_.end());
  return **at;
}

void Profile::bound_caches(size_t bytes) {
  size_t held = 0;
  for (const auto& hook : filter) held += hook.bound.cached_bytes();
  for (const auto& hook : score) held += hook.bound.cached_bytes();
  if (held <= bytes) return;
  for (auto& hook : filter) hook.bound.drop_caches();
  for (auto& hook : score) hook.bound.drop_caches();
}

}  // namespace berth::framework
