#pragma once

// The sources and configurations of a project with several hooks, composed of the sections of their
// templates. All texts still have to be filled in.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/project/hook_template.h"
#include "engine/cli/project/plugin_project.h"
#include "engine/cli/project/template_sections.h"

namespace berth::cli {

// Beside the main source, of which the name in the project is `file`, without an extension: C has a
// file for each hook and a header. All names begin with the one of the main source.
std::vector<ProjectFile> several_sources(std::string_view language, std::string_view file,
                                         std::span<const HookTemplate> hooks);

// The configuration that enables the plugin at all its points.
std::string several_configuration(std::span<const HookTemplate> hooks);
// The configuration that enables it at the points of one template.
std::string case_configuration(const HookTemplate& hook);

}  // namespace berth::cli
