// Any bytes as a scheduler configuration: parsed, validated, merged, written and expanded. Accepted
// input fulfils the contracts of config.h and effective.h; rejected input has a message.

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/config/config.h"
#include "engine/config/effective.h"
#include "engine/config/write/write.h"
#include "engine/document/document.h"

namespace {

using namespace berth;

// Some default plugins are missing, so that the code that names them is exercised.
bool available(std::string_view plugin) { return plugin.find("Volume") == std::string_view::npos; }

// Names that end in Sort or Binder implement that point; other plugins implement all other points.
bool implements(std::string_view plugin, Point point) {
  if (plugin.ends_with("Sort")) return point == Point::kQueueSort;
  if (plugin.ends_with("Binder")) return point == Point::kBind;
  return point != Point::kQueueSort && point != Point::kBind;
}

bool is_percentage(int32_t value) { return value >= 0 && value <= 100; }

void check(const config::Configuration& configuration) {
  BERTH_ASSERT(!configuration.profiles.empty());
  BERTH_ASSERT(configuration.initial_backoff_seconds > 0);
  BERTH_ASSERT(configuration.max_backoff_seconds >= configuration.initial_backoff_seconds);
  std::set<std::string_view> names;
  for (const config::Profile& profile : configuration.profiles) {
    BERTH_ASSERT(!profile.scheduler_name.empty());
    BERTH_ASSERT(names.insert(profile.scheduler_name).second);
    BERTH_ASSERT(is_percentage(configuration.percentage_for(profile)));
    for (const config::PluginArgs& args : profile.plugin_config) {
      BERTH_ASSERT(profile.args_of(args.name) == &args);
      if (args.args.present()) (void)document::to_json(args.args);
    }
  }
}

void check(const config::EffectiveProfile& profile) {
  BERTH_ASSERT(profile.plugins[Point::kQueueSort].size() == 1);
  BERTH_ASSERT(!profile.plugins[Point::kBind].empty());
  for (const Point point : kConfiguredPoints) {
    std::set<std::string_view> names;
    for (const PluginAt& plugin : profile.plugins[point]) {
      BERTH_ASSERT(implements(plugin.name, point));
      BERTH_ASSERT(names.insert(plugin.name).second);
      BERTH_ASSERT((plugin.weight != 0) == (point == Point::kScore));
    }
  }
}

// What is written can be read again, and is then written in the same way.
void check_written(const config::Configuration& configuration) {
  config::Written written;
  try {
    written = config::convert(configuration);
  } catch (const Error& error) {
    BERTH_ASSERT(std::string_view(error.message()).starts_with("cannot be written as YAML"));
    return;
  }
  const config::Written again = config::convert(config::parse(written.yaml, "written"));
  BERTH_ASSERT(again.yaml == written.yaml);
  BERTH_ASSERT(again.left_out.empty());
}

void read(const document::Document& document, document::Value root) {
  try {
    config::Configuration configuration = config::from_value(document, root);
    check(configuration);
    check_written(configuration);
    try {
      config::refuse_missing(configuration, available);
    } catch (const config::MissingPlugins& error) {
      for (const std::string& name : error.names()) BERTH_ASSERT(!available(name));
      config::remove_plugins(configuration, error.names());
      config::refuse_missing(configuration, available);
    }
    const auto profiles = config::expand(configuration, implements);
    BERTH_ASSERT(profiles.size() == configuration.profiles.size());
    for (const config::EffectiveProfile& profile : profiles) check(profile);
  } catch (const config::InvalidConfiguration& error) {
    BERTH_ASSERT(!error.faults().empty());
    for (const Error& fault : error.faults()) BERTH_ASSERT(!fault.message().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  const document::Document document = document::Document::parse(
      std::string(reinterpret_cast<const char*>(data), size), "fuzz", diagnostics);
  for (const document::Value root : document.roots()) read(document, root);
  for (const Error& fault : config::plugin_isolation_in(document).faults)
    BERTH_ASSERT(!fault.message().empty());
  return 0;
}
