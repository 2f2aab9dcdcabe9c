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

template <typename Visit>
void Profile::for_each_point(Visit&& visit) {
  using I = host::Instance;
  using host::Point;
  visit(pre_enqueue, Point::kPreEnqueue, &I::pre_enqueue);
  visit(queue_sort, Point::kQueueSort, &I::queue_sort);
  visit(pre_filter, Point::kPreFilter, &I::pre_filter);
  visit(filter, Point::kFilter, &I::filter);
  visit(post_filter, Point::kPostFilter, &I::post_filter);
  visit(pre_score, Point::kPreScore, &I::pre_score);
  visit(score, Point::kScore, &I::score);
  visit(reserve, Point::kReserve, &I::reserve);
  visit(permit, Point::kPermit, &I::permit);
  visit(pre_bind, Point::kPreBind, &I::pre_bind);
  visit(bind, Point::kBind, &I::bind);
  visit(post_bind, Point::kPostBind, &I::post_bind);
}

Profile::Profile(ProfilePlan plan, std::vector<std::unique_ptr<host::Instance>> instances,
                 model::Cluster& cluster)
    : plan_(std::move(plan)), instances_(std::move(instances)) {
  size_t bound = 0;
  for_each_point([&](auto& hooks, host::Point point, auto get) {
    for (const PluginAt& plugin : plan_.at(point)) {
      const auto* table = (instance(plugin.name).*get)();
      BERTH_ASSERT(table != nullptr);
      hooks.emplace_back(*table, cluster);
      hooks.back().weight = plugin.weight;
      ++bound;
    }
  });
  size_t planned = 0;
  for (const std::vector<PluginAt>& plugins : plan_.plugins) planned += plugins.size();
  BERTH_ASSERT(bound == planned);  // for_each_point() leaves none out
  for (auto& hook : filter)
    hook.before = hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : pre_score) hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : score) {
    hook.before = index_of(pre_score, hook.point->plugin());
    hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  }
}

// Hooks hold states of plugins, which must be released before the instances. Members are destroyed
// in reverse order of their declaration, and the hooks are declared first.
Profile::~Profile() {
  for_each_point([](auto& hooks, host::Point, auto) { hooks.clear(); });
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
