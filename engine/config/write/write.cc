#include "engine/config/write/write.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/config/effective.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/document/json/json_writer.h"
#include "engine/document/yaml/write_yaml.h"

namespace berth::config {
namespace {

using document::Kind;
using document::Value;

// Fields of v1 that Configuration does not hold, with their defaults.
struct OtherField {
  std::string_view name;
  std::string_view json;
};

constexpr OtherField kOtherFields[] = {
    {"parallelism", "16"},
    {"leaderElection",
     R"({"leaderElect":true,"leaseDuration":"15s","renewDeadline":"10s","retryPeriod":"2s",)"
     R"("resourceLock":"leases","resourceName":"kube-scheduler","resourceNamespace":"kube-system"})"},
    {"clientConnection", R"({"kubeconfig":"","acceptContentTypes":"","contentType":)"
                         R"("application/vnd.kubernetes.protobuf","qps":50,"burst":100})"},
    {"enableProfiling", "true"},
    {"enableContentionProfiling", "true"},
};

// Fields of v1beta2 that no later version has.
constexpr std::string_view kDroppedFields[] = {"healthzBindAddress", "metricsBindAddress"};

// Writes a configuration as JSON of one version.
class Writer {
 public:
  // `complete`: with all that defaults() leaves to its readers.
  Writer(const Configuration& configuration, Version version, bool complete)
      : from_(configuration), version_(version), complete_(complete), json_(buffer_) {}

  std::string run() {
    json_.object([&] {
      json_.member("apiVersion", api_version(version_));
      json_.member("kind", kConfigKind);
      other_fields();
      json_.member("percentageOfNodesToScore", from_.percentage_of_nodes_to_score);
      json_.member("podInitialBackoffSeconds", from_.initial_backoff_seconds);
      json_.member("podMaxBackoffSeconds", from_.max_backoff_seconds);
      json_.array("profiles", from_.profiles, [&](const Profile& one) { profile(one); });
      if (from_.source.find("extenders").set()) raw("extenders", from_.source.find("extenders"));
    });
    for (const std::string_view name : kDroppedFields)
      if (from_.source.find(name).set()) left_out_.emplace_back(name);
    return buffer_.GetString();
  }

  std::vector<std::string> take_left_out() { return std::move(left_out_); }

 private:
  void raw(std::string_view name, std::string_view text) {
    json_.key(name);
    json_.RawValue(text.data(), text.size(), rapidjson::kObjectType);
  }
  void raw(std::string_view name, Value value) { raw(name, document::to_json(value)); }

  void other_fields() {
    for (const OtherField& field : kOtherFields) {
      const Value given = from_.source.find(field.name);
      if (given.set()) {
        raw(field.name, given);
      } else if (complete_) {
        raw(field.name, field.json);
      }
    }
    const Value delay = from_.source.find("delayCacheUntilActive");
    if (delay.set()) raw("delayCacheUntilActive", delay);
    if (complete_ && version_ == Version::kV1) raw("delayCacheUntilActive", "false");
  }

  void profile(const Profile& profile) {
    json_.object([&] {
      json_.member("schedulerName", profile.scheduler_name);
      if (profile.percentage_of_nodes_to_score)
        json_.member("percentageOfNodesToScore", *profile.percentage_of_nodes_to_score);
      json_.object("plugins", [&] { plugins(profile); });
      plugin_config(profile);
    });
  }

  void plugins(const Profile& profile) {
    const std::string path = profile.place.field + ".plugins.";
    // v1beta2 drops multiPoint, so it cannot say that it has none.
    if (version_ != Version::kV1Beta2)
      plugin_set("multiPoint", path, profile.multi_point.enabled, {{.name = "*", .place = {}}});
    for (const Point point : kConfiguredPoints) {
      const PluginSet& set = profile.points[point];
      // Without multiPoint, a point without plugins has none in any case.
      const bool nothing = set.enabled.empty() && from_.version == Version::kV1Beta2;
      if (!nothing) plugin_set(point_info(point).key, path, set.enabled, set.disabled);
    }
    for (const PlacementPointInfo& info : kPlacementPoints) {
      const PluginSet& set = profile.placement[index_of(info.point)];
      plugin_set(info.key, path, set.enabled, set.disabled);
    }
  }

  void plugin_set(std::string_view name, const std::string& path,
                  const std::vector<PluginRef>& enabled, const std::vector<PluginRef>& disabled) {
    std::vector<const PluginRef*> kept;
    for (const PluginRef& plugin : enabled)
      if (keeps(plugin.name, path + std::string(name))) kept.push_back(&plugin);
    const bool disables =
        std::ranges::any_of(disabled, [](const PluginRef& plugin) { return !plugin.name.empty(); });
    if (kept.empty() && !disables) return;
    json_.object(name, [&] {
      json_.array_if("enabled", kept, [&](const PluginRef* plugin) {
        json_.object([&] {
          json_.member("name", plugin->name);
          if (plugin->weight != 0) json_.member("weight", plugin->weight);
        });
      });
      if (!disables) return;
      json_.array("disabled", disabled, [&](const PluginRef& plugin) {
        if (!plugin.name.empty()) json_.object([&] { json_.member("name", plugin.name); });
      });
    });
  }

  // False for a plugin that the version does not allow; then it is named in left_out.
  bool keeps(const std::string& plugin, const std::string& path) {
    if (version_ != Version::kV1 || !is_forbidden_plugin(plugin)) return true;
    left_out_.push_back(path + ": plugin " + plugin + ", which v1 has in " +
                        std::string(*replacement_of(plugin)));
    return false;
  }

  void plugin_config(const Profile& profile) {
    std::vector<const PluginArgs*> given;
    for (const PluginArgs& entry : profile.plugin_config)
      if (keeps(entry.name, profile.place.field + ".pluginConfig")) given.push_back(&entry);
    std::vector<std::string> unset;
    if (complete_)
      for (std::string& name : enabled_plugins(profile))
        if (default_args(name) && profile.args_of(name) == nullptr)
          unset.push_back(std::move(name));
    std::ranges::sort(unset);
    if (given.empty() && unset.empty()) return;
    json_.key("pluginConfig");
    json_.StartArray();
    for (const PluginArgs* entry : given) arguments(*entry);
    for (const std::string& name : unset) default_arguments(name);
    json_.EndArray();
  }

  void arguments(const PluginArgs& entry) {
    json_.object([&] {
      json_.member("name", entry.name);
      if (!entry.args.set()) return;
      if (has_args_kind(entry.name)) {
        json_.object("args", [&] {
          for (const document::Member& member : entry.args.members()) typed_member(member);
        });
      } else {
        raw("args", entry.args);
      }
    });
  }

  // A member of the arguments of a default plugin, which name the version.
  void typed_member(const document::Member& member) {
    const bool version = member.key == "apiVersion" && member.value.is(Kind::kString) &&
                         !member.value.as_string().empty();
    if (version) {
      json_.member(member.key, api_version(version_));
    } else {
      raw(member.key, member.value);
    }
  }

  void default_arguments(const std::string& plugin) {
    std::string typed = R"({"apiVersion":")" + std::string(api_version(version_)) +
                        R"(","kind":")" + plugin + R"(Args")";
    const std::string_view own = default_args(plugin)->substr(1);
    if (own != "}") typed += ',';
    json_.object([&] {
      json_.member("name", plugin);
      raw("args", typed + std::string(own));
    });
  }

  const Configuration& from_;
  Version version_;
  bool complete_;
  rapidjson::StringBuffer buffer_;
  document::JsonWriter json_;
  std::vector<std::string> left_out_;
};

// The first number that YAML's readers would take for a text; absent if there is none.
Value number_beyond_range(Value value) {
  if (value.is(Kind::kNumber) && !value.as_double()) return value;
  for (const Value element : value.elements())
    if (const Value found = number_beyond_range(element); found.present()) return found;
  for (const document::Member& member : value.members())
    if (const Value found = number_beyond_range(member.value); found.present()) return found;
  return {};
}

document::Document parsed(const std::string& json) {
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(json, "", diagnostics);
  BERTH_ASSERT(diagnostics.count() == 0);
  return document;
}

}  // namespace

Written convert(const Configuration& configuration) {
  Writer writer(configuration, Version::kV1, false);
  const document::Document document = parsed(writer.run());
  const Value root = document.roots().front();
  if (const Value number = number_beyond_range(root); number.present())
    throw Error(Place{.file = configuration.source.file(), .field = number.path()},
                "cannot be written as YAML: " + std::string(number.number_text()) +
                    " is beyond the range of its numbers");
  return {document::to_yaml(root), writer.take_left_out()};
}

std::string complete_defaults(Version version, const Rules& rules) {
  const document::Document document = parsed(Writer(defaults(version, rules), version, true).run());
  return document::to_yaml(document.roots().front());
}

}  // namespace berth::config
