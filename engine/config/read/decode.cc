#include "engine/config/read/decode.h"

#include <algorithm>
#include <utility>

#include "engine/config/profiles/default_plugins.h"

namespace berth::config {
namespace {

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";
constexpr std::string_view kApiVersion = "kubescheduler.config.k8s.io/v1";
constexpr std::string_view kKind = "KubeSchedulerConfiguration";

// The other fields have a defined meaning only if version and kind are right.
void check_type(document::Value root, Faults& faults) {
  const Node node{.value = root, .path = ""};
  if (!root.is(document::Kind::kObject)) {
    faults.add(node.place(), "must be an object of kind " + quoted(kKind));
    return;
  }
  Reader reader(faults);
  const auto expect = [&](std::string_view name, std::string_view right, std::string_view hint) {
    const Node member = node.member(root.find(name), name);
    if (!member.set()) {
      faults.add(place_at(root, name), "must be " + quoted(right) + ", but is missing");
    } else if (const auto text = reader.string(member); text && *text != right) {
      faults.add(member.place(),
                 "must be " + quoted(right) + ", not " + quoted(*text) + std::string(hint));
    }
  };
  const document::Value version = root.find("apiVersion");
  const bool older = version.is(document::Kind::kString) && version.as_string().starts_with(kGroup);
  expect("apiVersion", kApiVersion, older ? ": other versions are not supported yet" : "");
  expect("kind", kKind, "");
}

class Decoder {
 public:
  explicit Decoder(Faults& faults) : faults_(faults), reader_(faults) {}

  Decoded run(document::Value root) {
    const auto ignore = [](const Node&) {};  // check_type() has read it
    reader_.object(
        {.value = root, .path = ""},
        {
            {"apiVersion", ignore},
            {"kind", ignore},
            {"parallelism", [&](const Node& n) { unused(n, out_.parallelism, reader_.int32(n)); }},
            {"leaderElection", [&](const Node& n) { leader_election(n); }},
            {"clientConnection", [&](const Node& n) { client_connection(n); }},
            {"enableProfiling", [&](const Node& n) { unused(n, reader_.boolean(n)); }},
            {"enableContentionProfiling", [&](const Node& n) { unused(n, reader_.boolean(n)); }},
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
             [&](const Node& n) { reader_.array(n, [&](const Node&) { ++out_.extenders; }); }},
            {"delayCacheUntilActive", [&](const Node& n) { unused(n, reader_.boolean(n)); }},
        });
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

  void leader_election(const Node& node) {
    LeaderElection& to = out_.leader_election;
    reader_.object(
        node,
        {
            {"leaderElect", [&](const Node& n) { unused(n, to.leader_elect, reader_.boolean(n)); }},
            {"leaseDuration",
             [&](const Node& n) { unused(n, to.lease_duration, reader_.duration(n)); }},
            {"renewDeadline",
             [&](const Node& n) { unused(n, to.renew_deadline, reader_.duration(n)); }},
            {"retryPeriod",
             [&](const Node& n) { unused(n, to.retry_period, reader_.duration(n)); }},
            {"resourceLock",
             [&](const Node& n) { unused(n, to.resource_lock, reader_.string(n)); }},
            {"resourceName", [&](const Node& n) { unused(n, reader_.string(n)); }},
            {"resourceNamespace", [&](const Node& n) { unused(n, reader_.string(n)); }},
        });
  }

  void client_connection(const Node& node) {
    const auto text = [&](const Node& n) { unused(n, reader_.string(n)); };
    reader_.object(node,
                   {
                       {"kubeconfig", text},
                       {"acceptContentTypes", text},
                       {"contentType", text},
                       {"qps", [&](const Node& n) { unused(n, reader_.float32(n)); }},
                       {"burst", [&](const Node& n) { unused(n, out_.burst, reader_.int32(n)); }},
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
                   [&](const Node& n) { profile.percentage_of_nodes_to_score = reader_.int32(n); }},
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
    const auto set_of = [&](Point point) {
      return Field{point_name(point), [&, point](const Node& n) {
                     plugin_set(n, profile.points[point_index(point)]);
                   }};
    };
    reader_.object(
        node, {set_of(Point::kPreEnqueue), set_of(Point::kQueueSort), set_of(Point::kPreFilter),
               set_of(Point::kFilter), set_of(Point::kPostFilter), set_of(Point::kPreScore),
               set_of(Point::kScore), set_of(Point::kReserve), set_of(Point::kPermit),
               set_of(Point::kPreBind), set_of(Point::kBind), set_of(Point::kPostBind),
               Field{"multiPoint", [&](const Node& n) { plugin_set(n, profile.multi_point); }}});
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
    expect("apiVersion", std::string(kApiVersion));
    expect("kind", plugin + "Args");
  }

  Faults& faults_;
  Reader reader_;
  Decoded out_;
  Configuration& config_ = out_.configuration;
};

}  // namespace

Decoded decode(document::Value root) {
  Faults faults;
  check_type(root, faults);
  faults.throw_if_any();
  Decoded decoded = Decoder(faults).run(root);
  faults.throw_if_any();
  return decoded;
}

}  // namespace berth::config
