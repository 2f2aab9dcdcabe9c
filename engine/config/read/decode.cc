#include "engine/config/read/decode.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/config/profiles/default_plugins.h"
#include "engine/config/read/extenders.h"
#include "engine/config/versions/former.h"

namespace berth::config {
namespace {

// The advice about an object that is no configuration.
std::string hint(std::string_view field, std::string_view value) {
  if (field == "kind" && value == "ConfigMap")
    return ": write the text below its data into a file of its own";
  if (field == "kind" && value == kIsolationKind)
    return "; write that one beside it, as another document of the file";
  if (field == "apiVersion" && value.starts_with(kConfigGroup))
    return "; v1beta2 and v1beta3 are read, too";
  return "";
}

std::string not_that(std::string_view right, std::string_view field, std::string_view value) {
  return "must be " + quoted(right) + ", not " + quoted(value) + hint(field, value);
}

class Decoder {
 public:
  Decoder(Version version, const Rules& rules, Faults& faults)
      : version_(version), faults_(faults), reader_(faults) {
    config_.version = version;
    config_.rules = rules;
  }

  Decoded run(document::Value root) {
    const auto ignore = [](const Node&) {};  // decode_type() has read it
    reader_.object(
        {.value = root, .path = ""},
        {
            {"apiVersion", ignore},
            {"kind", ignore},
            {"parallelism", [&](const Node& n) { unused(n, out_.parallelism, reader_.int32(n)); }},
            {"leaderElection", [&](const Node& n) { leader_election(n); }},
            {"clientConnection", [&](const Node& n) { client_connection(n); }},
            {"enableProfiling",
             [&](const Node& n) { unused(n, config_.service.profiling, reader_.boolean(n)); }},
            {"enableContentionProfiling",
             [&](const Node& n) { unused(n, out_.contention_profiling, reader_.boolean(n)); }},
            {"percentageOfNodesToScore",
             [&](const Node& n) { set(config_.percentage_of_nodes_to_score, reader_.int32(n)); }},
            {"podInitialBackoffSeconds",
             [&](const Node& n) { set(config_.initial_backoff_seconds, reader_.int64(n)); }},
            {"podMaxBackoffSeconds",
             [&](const Node& n) { set(config_.max_backoff_seconds, reader_.int64(n)); }},
            {"profiles",
             [&](const Node& n) {
               reader_.array(n, [&](const Node& element) { profile(element); });
             }},
            {"extenders",
             [&](const Node& n) {
               reader_.array(n, [&](const Node& element) {
                 config_.extenders.push_back(read_extender(element, reader_, faults_));
               });
             }},
            {"delayCacheUntilActive", [&](const Node& n) { unused(n, reader_.boolean(n)); },
             version_ == Version::kV1},
            {"healthzBindAddress",
             [&](const Node& n) { unused(n, out_.healthz_bind_address, reader_.string(n)); },
             version_ == Version::kV1Beta2},
            {"metricsBindAddress",
             [&](const Node& n) { unused(n, out_.metrics_bind_address, reader_.string(n)); },
             version_ == Version::kV1Beta2},
        });
    // As kube-scheduler's defaults have it: on only where profiling is.
    config_.service.contention_profiling =
        out_.contention_profiling.value_or(config_.service.profiling);
    return std::move(out_);
  }

 private:
  template <typename T, typename U>
  static void set(T& field, std::optional<U> value) {
    if (value) field = std::move(*value);
  }

  // Records a valid field that has no effect in this program.
  void without_effect(const Node& node) { config_.without_effect.push_back(node.path); }

  template <typename T>
  void unused(const Node& node, const std::optional<T>& value) {
    if (value) without_effect(node);
  }

  template <typename T, typename U>
  void unused(const Node& node, T& field, std::optional<U> value) {
    unused(node, value);
    set(field, std::move(value));
  }

  // The same for a field whose zero value means its default, as in kube-scheduler.
  template <typename T, typename U>
  void unused_unless_zero(const Node& node, T& field, std::optional<U> value) {
    unused(node, value);
    if (value && *value != U()) field = T(std::move(*value));
  }

  void leader_election(const Node& node) {
    LeaderElection& to = config_.service.leader_election;
    reader_.object(
        node,
        {
            {"leaderElect", [&](const Node& n) { unused(n, to.leader_elect, reader_.boolean(n)); }},
            {"leaseDuration",
             [&](const Node& n) { unused_unless_zero(n, to.lease_duration, reader_.duration(n)); }},
            {"renewDeadline",
             [&](const Node& n) { unused_unless_zero(n, to.renew_deadline, reader_.duration(n)); }},
            {"retryPeriod",
             [&](const Node& n) { unused_unless_zero(n, to.retry_period, reader_.duration(n)); }},
            {"resourceLock",
             [&](const Node& n) { unused_unless_zero(n, to.resource_lock, reader_.string(n)); }},
            {"resourceName",
             [&](const Node& n) { unused_unless_zero(n, to.resource_name, reader_.string(n)); }},
            {"resourceNamespace",
             [&](const Node& n) {
               unused_unless_zero(n, to.resource_namespace, reader_.string(n));
             }},
        });
  }

  void client_connection(const Node& node) {
    ClientConnection& to = config_.service.client_connection;
    reader_.object(
        node,
        {
            {"kubeconfig", [&](const Node& n) { unused(n, to.kubeconfig, reader_.string(n)); }},
            {"acceptContentTypes",
             [&](const Node& n) { unused(n, to.accept_content_types, reader_.string(n)); }},
            {"contentType", [&](const Node& n) { unused(n, to.content_type, reader_.string(n)); }},
            {"qps", [&](const Node& n) { unused_unless_zero(n, to.qps, reader_.float32(n)); }},
            {"burst", [&](const Node& n) { unused_unless_zero(n, to.burst, reader_.int32(n)); }},
        });
  }

  void profile(const Node& node) {
    Profile profile;
    profile.place = node.place();
    bool named = false;
    reader_.object(
        node, {
                  {"schedulerName",
                   [&](const Node& n) {
                     named = n.set();
                     set(profile.scheduler_name, reader_.string(n));
                   }},
                  {"percentageOfNodesToScore",
                   [&](const Node& n) { profile.percentage_of_nodes_to_score = reader_.int32(n); },
                   version_ == Version::kV1},
                  {"plugins", [&](const Node& n) { plugins(n, profile); }},
                  {"pluginConfig",
                   [&](const Node& n) {
                     reader_.array(n,
                                   [&](const Node& element) { plugin_config(element, profile); });
                   }},
              });
    if (config_.profiles.empty()) out_.first_is_named = named;
    config_.profiles.push_back(std::move(profile));
  }

  void plugins(const Node& node, Profile& profile) {
    const auto set_of = [&](std::string_view name, PluginSet& set) {
      return Field{name, [&](const Node& n) { plugin_set(n, set); }};
    };
    // kube-scheduler drops these fields of old versions when it adds the defaults.
    const auto dropped = [&](std::string_view name) {
      return Field{name, [&](const Node& n) {
                     PluginSet set;
                     plugin_set(n, set);
                     if (n.set()) without_effect(n);
                   }};
    };
    std::vector<Field> fields;
    for (const Point point : kConfiguredPoints) {
      const PointInfo& info = point_info(point);
      fields.push_back(info.v1_only && version_ != Version::kV1
                           ? dropped(info.key)
                           : set_of(info.key, profile.points[point]));
    }
    fields.push_back(version_ == Version::kV1Beta2 ? dropped("multiPoint")
                                                   : set_of("multiPoint", profile.multi_point));
    for (const PlacementPointInfo& info : kPlacementPoints)
      fields.push_back(placement(info, profile));
    reader_.object(node, fields);
  }

  Field placement(const PlacementPointInfo& info, Profile& profile) {
    const bool known = version_ == Version::kV1 && config_.rules.has(Rule::kPlacementPoints);
    PluginSet& set = profile.placement[index_of(info.point)];
    const auto read = [&](const Node& node) {
      plugin_set(node, set);
      if (node.set()) without_effect(node);
    };
    return {info.key, read, known};
  }

  void plugin_set(const Node& node, PluginSet& set) {
    const auto enabled = [&](const Node& n) { set.enabled.push_back(plugin(n)); };
    const auto disabled = [&](const Node& n) {
      set.disabled.push_back(plugin(n));
      if (set.disabled.back().name.empty()) without_effect(n);
    };
    reader_.object(node, {{"enabled", [&](const Node& n) { reader_.array(n, enabled); }},
                          {"disabled", [&](const Node& n) { reader_.array(n, disabled); }}});
  }

  PluginRef plugin(const Node& node) {
    PluginRef plugin{.name = {}, .place = node.place()};
    reader_.object(node,
                   {
                       {"name", [&](const Node& n) { set(plugin.name, reader_.string(n)); }},
                       {"weight", [&](const Node& n) { set(plugin.weight, reader_.int32(n)); }},
                   });
    return plugin;
  }

  void plugin_config(const Node& node, Profile& profile) {
    PluginArgs entry;
    Node args = node.member({}, "args");
    reader_.object(node, {
                             {"name", [&](const Node& n) { set(entry.name, reader_.string(n)); }},
                             {"args", [&](const Node& n) { args = n; }},
                         });
    reader_.unique_members(args);
    if (has_args_kind(entry.name)) check_args_type(args, entry.name);
    entry.args = args.value;
    entry.place = args.value.present() ? args.place() : node.place();
    entry.place.field = args.path;
    profile.plugin_config.push_back(std::move(entry));
  }

  // The arguments of a default plugin may state their type, which must be the plugin's.
  void check_args_type(const Node& args, const std::string& plugin) {
    if (!args.set()) return;
    if (!args.value.is(document::Kind::kObject)) {
      reader_.object(args, {});  // reports the error
      return;
    }
    const auto expect = [&](std::string_view name, const std::string& right) {
      const Node member = args.member(args.value.find(name), name);
      const auto text = reader_.string(member);
      if (!text || text->empty() || *text == right) return;
      faults_.add(member.place(), "args of plugin " + quoted(plugin) + " must be of " +
                                      std::string(name) + " " + quoted(right) + ", not " +
                                      quoted(*text));
    };
    expect("apiVersion", std::string(api_version(version_)));
    expect("kind", plugin + "Args");
  }

  Version version_;
  Faults& faults_;
  Reader reader_;
  Decoded out_;
  Configuration& config_ = out_.configuration;
};

}  // namespace

std::optional<Version> decode_type(document::Value root, Faults& faults) {
  const Node node{.value = root, .path = ""};
  if (!root.is(document::Kind::kObject)) {
    faults.add(node.place(), "must be an object of kind " + quoted(kConfigKind));
    return std::nullopt;
  }
  if (refuse_former(root, faults)) return std::nullopt;
  // The other fields have a defined meaning only if version and kind are right.
  Reader reader(faults);
  const auto text_of = [&](std::string_view name, std::string_view right) {
    const Node member = node.member(root.find(name), name);
    if (!member.set())
      faults.add(place_at(root, name), "must be " + quoted(right) + ", but is missing");
    return reader.string(member);
  };
  const auto wrong = [&](std::string_view name, std::string_view right, std::string_view value) {
    faults.add(node.member(root.find(name), name).place(), not_that(right, name, value));
  };
  const auto api = text_of("apiVersion", api_version(Version::kV1));
  const std::optional<Version> version = api ? version_of(*api) : std::nullopt;
  if (api && !version) wrong("apiVersion", api_version(Version::kV1), *api);
  const auto kind = text_of("kind", kConfigKind);
  if (kind && *kind != kConfigKind) wrong("kind", kConfigKind, *kind);
  return kind == kConfigKind ? version : std::nullopt;
}

Decoded decode(document::Value root, Version version, const Rules& rules, Faults& faults) {
  return Decoder(version, rules, faults).run(root);
}

}  // namespace berth::config
