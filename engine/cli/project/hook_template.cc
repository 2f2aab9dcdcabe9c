#include "engine/cli/project/hook_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/assert.h"
#include "engine/cli/project/plugin_templates.h"

namespace berth::cli {
namespace {

constexpr HookTemplate kHooks[] = {{"pre-enqueue", ""},    {"queue-sort", ""},
                                   {"hints", "filter"},    {"pre-filter", ""},
                                   {"filter", ""},         {"post-filter", ""},
                                   {"pre-score", "score"}, {"score", ""},
                                   {"reserve", ""},        {"permit", ""},
                                   {"pre-bind", ""},       {"bind", ""},
                                   {"post-bind", ""},      {"overlay-state", "filter"}};

bool contains(std::span<const std::string> points, std::string_view point) {
  return std::ranges::find(points, point) != points.end();
}

bool is_brought(std::span<const std::string> points, std::string_view point) {
  return std::ranges::any_of(kHooks, [&](const HookTemplate& hook) {
    return hook.brings == point && contains(points, hook.point);
  });
}

}  // namespace

std::span<const HookTemplate> hook_templates() { return kHooks; }

std::vector<HookTemplate> templates_of(std::span<const std::string> points) {
  std::vector<HookTemplate> hooks;
  for (const HookTemplate& hook : kHooks)
    if (contains(points, hook.point) && !is_brought(points, hook.point)) hooks.push_back(hook);
  return hooks;
}

std::optional<std::string> points_problem(std::span<const std::string> points) {
  for (size_t i = 0; i < points.size(); ++i)
    if (contains(points.subspan(0, i), points[i]))
      return fmt::format("\"{}\" is named twice; a plugin has one hook at a point", points[i]);
  // Both are written for a Filter that suits them.
  if (contains(points, "hints") && contains(points, "overlay-state"))
    return "\"hints\" and \"overlay-state\" come with two different Filters, and a plugin has one "
           "hook at a point; name one of them";
  return std::nullopt;
}

std::vector<std::string_view> points_of(std::span<const HookTemplate> hooks) {
  std::vector<std::string_view> points;
  for (const HookTemplate& all : kHooks)
    if (std::ranges::any_of(hooks, [&](const HookTemplate& hook) {
          return hook.point == all.point || hook.brings == all.point;
        }))
      points.push_back(all.point);
  return points;
}

std::string configuration_key(std::string_view point) {
  if (point == "hints" || point == "overlay-state") return {};
  std::string key;
  for (size_t i = 0; i < point.size(); ++i)
    if (point[i] != '-')
      key += static_cast<char>(i > 0 && point[i - 1] == '-' ? point[i] - 'a' + 'A' : point[i]);
  return key;
}

std::optional<std::string_view> find_template_text(std::string_view name) {
  const auto all = plugin_templates();
  const auto found = std::ranges::find(all, name, &PluginTemplate::name);
  return found == all.end() ? std::nullopt : std::optional(found->text);
}

std::string_view template_text(std::string_view name) {
  const auto found = find_template_text(name);
  BERTH_ASSERT(found.has_value());
  return *found;
}

}  // namespace berth::cli
