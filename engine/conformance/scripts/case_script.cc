#include "engine/conformance/scripts/case_script.h"

namespace berth::conformance {

document::Document add_script(document::Value script, config::Configuration& configuration) {
  Diagnostics diagnostics;
  document::Document arguments = document::Document::parse(
      "{\"script\":" + document::to_json(script) + "}", "script", diagnostics);
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  for (config::Profile& profile : configuration.profiles)
    for (const char* plugin : {"First", "Second", "Third"})
      profile.plugin_config.push_back({plugin, arguments.roots()[0], script.place()});
  return arguments;
}

}  // namespace berth::conformance
