#include "engine/config/profiles/managed_resources.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/config/profiles/default_plugins.h"

namespace berth::config {
namespace {

constexpr std::string_view kArgument = "ignoredResources";

// The arguments with another list in the place of kArgument.
std::string with_resources(document::Value args, const std::string& list) {
  std::string json = "{";
  for (const document::Member member : args.members()) {
    if (member.key == kArgument) continue;
    json += document::to_json(member.key_value) + ":" + document::to_json(member.value) + ",";
  }
  return json + "\"" + std::string(kArgument) + "\":" + list + "}";
}

}  // namespace

void ignore_managed_resources(Configuration& configuration) {
  std::string list;
  for (const Extender& extender : configuration.extenders)
    for (const ManagedResource& resource : extender.managed_resources)
      if (resource.ignored_by_scheduler) {
        list += list.empty() ? '[' : ',';
        document::append_json_string(resource.name, list);
      }
  if (list.empty()) return;
  list += ']';
  for (Profile& profile : configuration.profiles) {
    auto entry = std::ranges::find(profile.plugin_config, kResourcesPlugin, &PluginArgs::name);
    if (entry == profile.plugin_config.end())
      entry = profile.plugin_config.insert(entry, {std::string(kResourcesPlugin), {}, {}});
    Diagnostics diagnostics;
    document::Document made = document::Document::parse(with_resources(entry->args, list),
                                                        "managedResources", diagnostics);
    BERTH_ASSERT(diagnostics.count() == 0);
    entry->args = made.roots().front();
    configuration.made.push_back(std::move(made));
  }
}

}  // namespace berth::config
