#include "engine/framework/hooks/profile.h"

#include <algorithm>
#include <type_traits>

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
  PluginHooks made;
  made.name = instance.name();
  for (const PointInfo& info : kPoints) made.at[info.point] = instance.hook(info.point);
  if (const host::Signing* signing = instance.signing()) made.signing = *signing;
  return made;
}

Profile::Profile(ProfilePlan plan, std::vector<std::unique_ptr<host::Instance>> instances,
                 model::Cluster& cluster)
    : plan_(std::move(plan)), instances_(std::move(instances)), kinds_(cluster) {
  std::vector<PluginHooks> plugins;
  for (const auto& instance : instances_) plugins.push_back(PluginHooks::of(*instance));
  bind_all(plugins, cluster);
}

Profile::Profile(ProfilePlan plan, std::span<const PluginHooks> plugins, model::Cluster& cluster)
    : plan_(std::move(plan)), kinds_(cluster) {
  bind_all(plugins, cluster);
}

void Profile::bind_all(std::span<const PluginHooks> plugins, model::Cluster& cluster) {
  const auto find = [&](const std::string& name) -> const PluginHooks& {
    auto at = std::find_if(plugins.begin(), plugins.end(),
                           [&](const PluginHooks& plugin) { return plugin.name == name; });
    BERTH_ASSERT(at != plugins.end());
    return *at;
  };
  size_t bound = 0;
  for_each_point([&](auto& hooks) {
    using Checked = std::remove_pointer_t<decltype(hooks.front().point)>;
    for (const PluginAt& plugin : plan_.plugins[Checked::kPoint]) {
      const host::Hook* hook = find(plugin.name).at[Checked::kPoint];
      BERTH_ASSERT(hook != nullptr && hook->point() == Checked::kPoint);
      hooks.emplace_back(*static_cast<Checked*>(hook), cluster);
      hooks.back().weight = plugin.weight;
      ++bound;
    }
  });
  size_t planned = 0;
  for (const std::vector<PluginAt>& enabled : plan_.plugins) planned += enabled.size();
  BERTH_ASSERT(bound == planned);  // for_each_point() leaves none out
  // Configurations do not name this point: each plugin in `filter` that implements it is bound.
  for (auto& hook : filter) {
    const host::Hook* follows = find(hook.point->plugin()).at[Point::kOverlayState];
    if (follows == nullptr || !hook.point->prepares()) continue;
    hook.overlay = overlay_state.size();
    overlay_state.emplace_back(*static_cast<const host::OverlayState*>(follows), cluster);
  }
  for (const PluginHooks& plugin : plugins) bind_hints(plugin, cluster);
  for (const PluginHooks& plugin : plugins)
    if (const host::Hook* hook = plugin.at[Point::kObserve])
      observe.emplace_back(*static_cast<const host::Observe*>(hook), cluster);
  link_hooks();
  bind_signing(plugins);
}

void Profile::bind_signing(std::span<const PluginHooks> plugins) {
  signing_.emplace();
  for (const PluginHooks& plugin : plugins) {
    const auto takes_part = [&](Point point) {
      return std::ranges::find(plan_.plugins[point], plugin.name, &PluginAt::name) !=
             plan_.plugins[point].end();
    };
    if (!takes_part(Point::kPreFilter) && !takes_part(Point::kFilter) &&
        !takes_part(Point::kPreScore) && !takes_part(Point::kScore))
      continue;
    if (!plugin.signing) return signing_.reset();
    signing_->add(*plugin.signing);
  }
}

// As in kube-scheduler, what a plugin implements counts, wherever it is enabled.
void Profile::bind_hints(const PluginHooks& plugin, model::Cluster& cluster) {
  if (std::ranges::none_of(kPoints, [&](const PointInfo& info) {
        return info.refuses && plugin.at[info.point] != nullptr;
      }))
    return;
  RefusingPlugin& refuser = refusers.emplace_back(plugin.name);
  const host::Hook* hook = plugin.at[Point::kHints];
  if (hook == nullptr) return;
  refuser.hints = hints.size();
  hints.emplace_back(*static_cast<const host::Hints*>(hook), cluster);
}

void Profile::link_hooks() {
  const auto apart = [](const auto& hook) { return hook.point->is_apart(); };
  is_apart_ = std::ranges::any_of(filter, apart) || std::ranges::any_of(score, apart);
  size_t count = 0;
  for_each_hook([&](BoundHook& hook) { hook.join(count++, forgotten_); });
  kinds_.set_hooks(count);
  const auto add_all = [&](const auto& hooks) {
    for (const auto& hook : hooks) kinds_.add(hook.bound);
  };
  add_all(pre_filter), add_all(filter), add_all(pre_score), add_all(score);
  for (auto& hook : filter)
    hook.before = hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : post_filter) hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : pre_score) hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  for (auto& hook : score) {
    hook.before = index_of(pre_score, hook.point->plugin());
    hook.pre_filter = index_of(pre_filter, hook.point->plugin());
  }
  const auto follow = [&](auto& hooks) {
    for (auto& hook : hooks)
      if (hook.point->follows_pre_filter())
        hook.before = index_of(pre_filter, hook.point->plugin());
  };
  follow(reserve), follow(pre_bind);
}

// Hooks hold states of plugins, which must be released before the instances. Members are destroyed
// in reverse order of their declaration, and the hooks are declared first.
Profile::~Profile() {
  for_each_point([](auto& hooks) { hooks.clear(); });
  overlay_state.clear();
  hints.clear();
  observe.clear();
}

void Profile::collect_if_grown() {
  for (auto& hook : pre_filter)
    if (hook.bound.grown()) hook.bound.collect();
  for (auto& hook : filter)
    if (hook.bound.grown()) hook.bound.collect();
  for (auto& hook : score)
    if (hook.bound.grown()) hook.bound.collect();
  for (auto& hook : hints)
    if (hook.bound.grown()) hook.bound.collect();
  for (auto& hook : pre_score)
    if (hook.bound.grown()) hook.bound.collect();
}

}  // namespace berth::framework
