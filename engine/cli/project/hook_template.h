#pragma once

// The hooks that a project can have. Each has a folder in abi/templates.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cli {

struct HookTemplate {
  std::string_view point;   // and the folder: "pre-filter"
  std::string_view brings;  // a second point that its plugin implements; empty for none
};

// All, in the order in which a pod meets them.
std::span<const HookTemplate> hook_templates();

// The templates of a plugin with these points, in the order of hook_templates(), without those that
// another one brings. Precondition: the points have no problem.
std::vector<HookTemplate> templates_of(std::span<const std::string> points);

// Says why one plugin cannot be written with these points. Nothing if it can.
std::optional<std::string> points_problem(std::span<const std::string> points);

// The points that the templates implement, in the order of hook_templates().
std::vector<std::string_view> points_of(std::span<const HookTemplate> hooks);

// The name of a point in a configuration: "preFilter". Empty for one that a configuration does not
// name: it is in force wherever the plugin's Filter is.
std::string configuration_key(std::string_view point);

// The text of a file in abi/templates; nothing if there is none of that name.
std::optional<std::string_view> find_template_text(std::string_view name);
// Precondition: there is one.
std::string_view template_text(std::string_view name);

}  // namespace berth::cli
