#include "engine/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/joined.h"
#include "engine/config/effective.h"
#include "engine/config/gates/gated_arguments.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/config/profiles/managed_resources.h"
#include "engine/config/profiles/merge.h"
#include "engine/config/read/decode.h"
#include "engine/config/read/faults.h"
#include "engine/config/read/validate.h"
#include "engine/model/objects/names.h"

namespace berth::config {
namespace {

// One fault is the message itself; several are listed below one.
std::string message_of(const std::vector<Error>& faults) {
  BERTH_ASSERT(!faults.empty());
  return faults.size() == 1 ? faults.front().message() : "the configuration has several faults:";
}

std::vector<std::string> details_of(const std::vector<Error>& faults) {
  std::vector<std::string> details;
  if (faults.size() > 1)
    for (const Error& fault : faults) details.emplace_back(fault.what());
  return details;
}

Place place_of(const std::vector<Error>& faults) {
  return faults.size() == 1 ? faults.front().place() : Place{};
}

// Where a version has no defaults for a point, the point keeps the set of the file.
void add_default_plugins(Version version, const Rules& rules, Profile& profile) {
  profile.multi_point = merge_plugin_set(default_multi_point(version, rules), profile.multi_point);
  for (const Point point : kConfiguredPoints) {
    PluginSet& set = profile.points[point];
    set = merge_plugin_set(default_set(version, point), set);
    // What v1beta2 disables matters for its defaults alone.
    if (version == Version::kV1Beta2) set.disabled = {{.name = "*", .place = {}}};
  }
}

void add_defaults(Decoded& decoded, document::Value root) {
  std::vector<Profile>& profiles = decoded.configuration.profiles;
  if (profiles.empty()) {
    profiles.emplace_back();
    profiles.front().place = place_at(root, "profiles[0]");
  }
  // With several profiles, each must be named.
  if (profiles.size() == 1 && !decoded.first_is_named) {
    profiles.front().scheduler_name = model::kDefaultSchedulerName;
  }
  for (Profile& profile : profiles)
    add_default_plugins(decoded.configuration.version, decoded.configuration.rules, profile);
}

void list_unused_args(Configuration& configuration) {
  for (const Profile& profile : configuration.profiles) {
    const std::vector<std::string> names = enabled_plugins(profile);
    const std::unordered_set<std::string_view> enabled(names.begin(), names.end());
    for (size_t i = 0; i < profile.plugin_config.size(); ++i) {
      if (enabled.contains(profile.plugin_config[i].name)) continue;
      configuration.without_effect.push_back(
          fmt::format("{}.pluginConfig[{}] (plugin {} is not enabled)", profile.place.field, i,
                      quoted(profile.plugin_config[i].name)));
    }
  }
}

std::string_view kind_of(document::Value root) {
  const document::Value kind = root.find("kind");
  return kind.is(document::Kind::kString) ? kind.as_string() : std::string_view();
}

bool is_ours(document::Value root) { return is_configuration(root) || is_plugin_isolation(root); }

// The documents in one value of the `data` of a ConfigMap.
struct Embedded {
  std::string key;
  document::Document document;
  Diagnostics faults;
};

void add_embedded(document::Value map, const std::string& path, std::vector<Embedded>& found) {
  for (const document::Member member : map.find("data").members()) {
    if (!member.value.is(document::Kind::kString)) continue;
    const std::string_view text = member.value.as_string();
    if (text.find(kConfigKind) == text.npos && text.find(kIsolationKind) == text.npos) continue;
    Embedded one{.key = std::string(member.key), .document = {}, .faults = {}};
    one.document = document::Document::parse(text, path + "[data." + one.key + "]", one.faults);
    // A text with a fault may hold anything: its faults are those of a configuration.
    if (one.faults.count() != 0 || std::ranges::any_of(one.document.roots(), is_ours))
      found.push_back(std::move(one));
  }
}

std::vector<Embedded> configurations_in_maps(const document::Document& document,
                                             const std::string& path) {
  std::vector<Embedded> found;
  for (const document::Value root : document.roots()) {
    if (kind_of(root) == "ConfigMap") add_embedded(root, path, found);
    for (const document::Value item : root.find("items").elements())
      if (kind_of(item) == "ConfigMap") add_embedded(item, path, found);
  }
  return found;
}

[[noreturn]] void refuse_documents(const document::Document& document, const std::string& path) {
  std::string lines;
  size_t configurations = 0;
  for (const document::Value root : document.roots())
    if (is_configuration(root)) {
      lines += (++configurations == 1 ? "" : ", ") + std::to_string(root.position().line);
    }
  std::string message = "holds " + std::to_string(document.roots().size()) +
                        " documents; a configuration is one, of kind " + std::string(kConfigKind);
  if (configurations > 1) message += ", and here they are several, at lines " + lines;
  throw Error(Place{.file = path, .field = {}}, std::move(message));
}

// The configuration among the documents. Any syntax error is fatal: a part of a configuration is
// another configuration.
document::Value configuration_in(const document::Document& document, const Diagnostics& diagnostics,
                                 const std::string& path) {
  if (diagnostics.count() != 0) throw InvalidConfiguration(diagnostics.kept());
  const auto roots = document.roots();
  if (roots.size() == 1) return roots.front();
  if (std::ranges::count_if(roots, is_configuration) != 1) refuse_documents(document, path);
  return *std::ranges::find_if(roots, is_configuration);
}

// Settings without effect come first, arguments last.
void list_other_documents(const document::Document& document, document::Value root,
                          std::vector<std::string>& without_effect) {
  size_t number = 0;
  for (const document::Value other : document.roots()) {
    ++number;
    if (other.position().line == root.position().line &&
        other.position().column == root.position().column)
      continue;
    if (is_plugin_isolation(other)) continue;
    std::string entry = "document " + std::to_string(number);
    if (const std::string_view kind = kind_of(other); !kind.empty())
      entry += " (" + std::string(kind) + ")";
    without_effect.push_back(std::move(entry));
  }
}

// The last steps of reading, after which the configuration is what runs.
Configuration finish(Decoded& decoded, document::Document document, document::Value root) {
  Configuration& configuration = decoded.configuration;
  list_unused_args(configuration);
  ignore_managed_resources(configuration);
  add_gated_arguments(configuration);
  configuration.document = std::move(document);
  configuration.source = root;
  return std::move(configuration);
}

// The number of faults beyond the first hundred has no place and comes last.
std::pair<uint32_t, uint32_t> position_of(const Error& fault) {
  const Place& place = fault.place();
  return {place.line == 0 ? UINT32_MAX : place.line, place.column};
}

// Of the faults at one place the first stays: a value that cannot be read is missing to the rules.
std::vector<Error> one_for_each_place(std::vector<Error> faults) {
  std::ranges::stable_sort(faults, {}, position_of);
  const auto same = [&](const Error& a, const Error& b) {
    return position_of(a) == position_of(b) && !a.place().field.empty() &&
           a.place().field == b.place().field;
  };
  faults.erase(std::unique(faults.begin(), faults.end(), same), faults.end());
  return faults;
}

void list_unused_isolation(Configuration& configuration) {
  std::unordered_set<std::string> enabled;
  for (const Profile& profile : configuration.profiles)
    for (std::string& name : enabled_plugins(profile)) enabled.insert(std::move(name));
  const std::vector<IsolatedPlugin>& isolated = configuration.isolation.plugins;
  for (size_t i = 0; i < isolated.size(); ++i)
    if (isolated[i].name != kAllPlugins && !enabled.contains(isolated[i].name))
      configuration.without_effect.push_back("plugins[" + std::to_string(i) + "] of " +
                                             std::string(kIsolationKind) + " (plugin " +
                                             quoted(isolated[i].name) + " is not enabled)");
}

Configuration from_document(document::Document document, const Diagnostics& diagnostics,
                            const std::string& name, const Rules& rules) {
  const document::Value root = configuration_in(document, diagnostics, name);
  CheckedIsolation isolated = plugin_isolation_in(document);
  std::vector<Error>& faults = isolated.faults;
  Configuration configuration;
  try {
    configuration = from_value(document, root, rules);
  } catch (const InvalidConfiguration& error) {
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
    std::ranges::stable_sort(faults, {}, position_of);
  }
  if (!faults.empty()) throw InvalidConfiguration(std::move(faults));
  list_other_documents(document, root, configuration.without_effect);
  configuration.isolation = std::move(isolated.isolation);
  list_unused_isolation(configuration);
  return configuration;
}

}  // namespace

InvalidConfiguration::InvalidConfiguration(std::vector<Error> faults)
    : Error(place_of(faults), message_of(faults), details_of(faults)), faults_(std::move(faults)) {}

const PluginArgs* Profile::args_of(std::string_view plugin) const {
  const auto found = std::ranges::find(plugin_config, plugin, &PluginArgs::name);
  return found == plugin_config.end() ? nullptr : &*found;
}

int32_t Configuration::percentage_for(const Profile& profile) const {
  return profile.percentage_of_nodes_to_score.value_or(percentage_of_nodes_to_score);
}

void Configuration::heed_service_settings() {
  std::erase_if(without_effect, [](const std::string& path) {
    return path.starts_with("leaderElection.") || path.starts_with("clientConnection.");
  });
}

document::Document read_documents(const std::string& path, Diagnostics& diagnostics) {
  document::Document document = document::Document::read(path, diagnostics);
  if (std::ranges::any_of(document.roots(), is_ours)) return document;
  std::vector<Embedded> found = configurations_in_maps(document, path);
  if (found.empty()) return document;
  if (found.size() > 1) {
    throw Error(Place{.file = path, .field = {}},
                "several values of its ConfigMaps hold a configuration: " +
                    joined(found, ", ", &Embedded::key) +
                    "; put the one that is meant into a file of its own");
  }
  for (const Error& fault : found.front().faults.kept()) diagnostics.report(fault);
  return std::move(found.front().document);
}

bool is_configuration(document::Value root) { return kind_of(root) == kConfigKind; }

Configuration defaults(Version version, const Rules& rules) {
  Decoded decoded;
  decoded.configuration.version = version;
  decoded.configuration.rules = rules;
  add_defaults(decoded, {});
  Faults faults;
  validate_gates(decoded.configuration, {}, faults);
  faults.throw_if_any();
  add_gated_arguments(decoded.configuration);
  return std::move(decoded.configuration);
}

Configuration load(const std::string& path, const Rules& rules) {
  Diagnostics diagnostics;
  document::Document document = read_documents(path, diagnostics);
  return from_document(std::move(document), diagnostics, path, rules);
}

Configuration load_or_defaults(const std::string& path, const Rules& rules) {
  return path.empty() ? defaults(Version::kV1, rules) : load(path, rules);
}

PluginIsolation load_isolation(const std::string& path) {
  Diagnostics diagnostics;
  const document::Document document = read_documents(path, diagnostics);
  if (diagnostics.count() != 0) throw InvalidConfiguration(diagnostics.kept());
  if (std::ranges::none_of(document.roots(), is_plugin_isolation))
    throw Error(Place{.file = path, .field = {}},
                "has no document of kind " + std::string(kIsolationKind) + ", apiVersion " +
                    std::string(kIsolationApiVersion));
  CheckedIsolation checked = plugin_isolation_in(document);
  if (!checked.faults.empty()) throw InvalidConfiguration(std::move(checked.faults));
  return std::move(checked.isolation);
}

Configuration parse(std::string_view text, const std::string& name, const Rules& rules) {
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(text, name, diagnostics);
  return from_document(std::move(document), diagnostics, name, rules);
}

Configuration from_value(document::Document document, document::Value root, const Rules& rules) {
  BERTH_ASSERT(root.present());
  Faults faults;
  const std::optional<Version> version = decode_type(root, faults);
  faults.throw_if_any();
  Decoded decoded = decode(root, *version, faults);
  faults.throw_if_any();
  decoded.configuration.rules = rules;
  add_defaults(decoded, root);
  validate(decoded, root, faults);
  validate_gates(decoded.configuration, root, faults);
  faults.throw_if_any();
  return finish(decoded, std::move(document), root);
}

Checked check(document::Document document, document::Value root, const Rules& rules) {
  BERTH_ASSERT(root.present());
  Checked checked;
  Faults faults;
  const std::optional<Version> version = decode_type(root, faults);
  checked.faults = faults.take();
  if (!version) return checked;
  Decoded decoded = decode(root, *version, faults);
  checked.faults = faults.take();
  decoded.configuration.rules = rules;
  add_defaults(decoded, root);
  validate(decoded, root, faults);
  validate_gates(decoded.configuration, root, faults);
  for (Error& fault : faults.take()) checked.faults.push_back(std::move(fault));
  checked.faults = one_for_each_place(std::move(checked.faults));
  checked.configuration = finish(decoded, std::move(document), root);
  return checked;
}

}  // namespace berth::config
