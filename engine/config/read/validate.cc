#include "engine/config/read/validate.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "engine/config/profiles/default_plugins.h"
#include "engine/config/profiles/equal.h"
#include "engine/config/read/extenders.h"

namespace berth::config {
namespace {

// IPv6 addresses stand in brackets, because a port follows.
bool is_ip(std::string host) {
  in6_addr address;
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  return inet_pton(bracketed ? AF_INET6 : AF_INET, host.c_str(), &address) == 1;
}

class Validation {
 public:
  Validation(const Decoded& decoded, document::Value root, Faults& faults)
      : decoded_(decoded), config_(decoded.configuration), places_(root), faults_(faults) {}

  void run() {
    if (config_.service.client_connection.burst < 0) {
      invalid("clientConnection.burst", config_.service.client_connection.burst,
              "must be non-negative");
    }
    validate_leader_election(
        config_.service.leader_election,
        [&](std::string_view field) { return at("leaderElection." + std::string(field)); },
        faults_);
    if (decoded_.parallelism && *decoded_.parallelism <= 0) {
      invalid("parallelism", *decoded_.parallelism, "should be an integer value greater than zero");
    }
    bind_address("healthzBindAddress", decoded_.healthz_bind_address);
    bind_address("metricsBindAddress", decoded_.metrics_bind_address);
    percentage("percentageOfNodesToScore", config_.percentage_of_nodes_to_score);
    backoff();
    std::unordered_map<std::string_view, size_t> first_of_name;
    for (size_t i = 0; i < config_.profiles.size(); ++i) {
      profile(config_.profiles[i], profile_path(i));
      scheduler_name(i, first_of_name);
    }
    common_queue_sort();
    validate_extenders(config_.extenders, places_, faults_);
  }

 private:
  static std::string profile_path(size_t i) { return "profiles[" + std::to_string(i) + "]"; }

  Place at(std::string_view path) { return places_.at(path); }

  void invalid(std::string_view path, int64_t value, std::string_view reason) {
    faults_.invalid(at(path), std::to_string(value), reason);
  }

  void not_allowed(std::string_view path, std::string_view reason) {
    faults_.add(at(path), "Invalid value: " + std::string(reason));
  }

  // v1beta2 has these fields for compatibility: no other address than one with port 0.
  void bind_address(std::string_view path, const std::string& address) {
    if (address.empty()) return;
    const size_t colon = address.rfind(':');
    if (colon == std::string::npos) {
      faults_.invalid(at(path), quoted(address), "missing port in address");
    } else if (!is_ip(address.substr(0, colon))) {
      faults_.invalid(at(path), quoted(address),
                      "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    } else if (address.substr(colon + 1) != "0") {
      faults_.invalid(at(path), quoted(address), "must be empty or with an explicit 0 port");
    }
  }

  void percentage(std::string_view path, int32_t value) {
    if (value < 0 || value > 100) invalid(path, value, "not in valid range [0-100]");
  }

  void backoff() {
    if (config_.initial_backoff_seconds <= 0) {
      invalid("podInitialBackoffSeconds", config_.initial_backoff_seconds,
              "must be greater than 0");
    }
    if (config_.max_backoff_seconds < config_.initial_backoff_seconds) {
      invalid("podMaxBackoffSeconds", config_.max_backoff_seconds,
              "must be greater than or equal to podInitialBackoffSeconds");
    }
  }

  void scheduler_name(size_t i, std::unordered_map<std::string_view, size_t>& first_of_name) {
    const std::string& name = config_.profiles[i].scheduler_name;
    const std::string path = profile_path(i) + ".schedulerName";
    if (name.empty()) {
      faults_.required(at(path));
      return;
    }
    const auto [first, is_new] = first_of_name.emplace(name, i);
    if (!is_new) {
      faults_.add(at(path), "Duplicate value: " + quoted(name) + ", the name of " +
                                profile_path(first->second));
    }
  }

  void profile(const Profile& profile, const std::string& path) {
    percentage(path + ".percentageOfNodesToScore",
               profile.percentage_of_nodes_to_score.value_or(0));
    plugin_set(profile.multi_point);
    for (const PluginSet& set : profile.points) plugin_set(set);
    for (const PlacementPointInfo& info : kPlacementPoints) placement(profile, info);
    std::unordered_set<std::string_view> configured;
    for (size_t i = 0; i < profile.plugin_config.size(); ++i) {
      const std::string& name = profile.plugin_config[i].name;
      const Place place = at(path + ".pluginConfig[" + std::to_string(i) + "]");
      if (!configured.insert(name).second) faults_.duplicate(place, name);
      forbidden(name, place);
    }
  }

  void plugin_set(const PluginSet& set) {
    for (const PluginRef& plugin : set.enabled) {
      if (plugin.from_default) continue;
      if (plugin.name.empty()) {
        Place place = plugin.place;
        place.field += ".name";
        faults_.required(place);
      }
      forbidden(plugin.name, plugin.place);
    }
  }

  // Those that kube-scheduler has at the point are not in the list when profiles are expanded.
  void placement(const Profile& profile, const PlacementPointInfo& info) {
    const PluginSet& set = profile.placement[index_of(info.point)];
    plugin_set(set);
    std::unordered_set<std::string_view> known;
    for (const PluginRef& plugin : set.enabled)
      if (is_placement_plugin(plugin.name, info.point) && !known.insert(plugin.name).second)
        faults_.add(plugin.place, "plugin " + quoted(plugin.name) + " already registered as " +
                                      quoted(info.type));
  }

  void forbidden(const std::string& plugin, const Place& place) {
    if (config_.version != Version::kV1 || !is_forbidden_plugin(plugin)) return;
    faults_.invalid(place, quoted(plugin),
                    "was invalid in version \"kubescheduler.config.k8s.io/v1\" "
                    "(KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\"): "
                    "use " +
                        std::string(*replacement_of(plugin)));
  }

  // The queueSort sets must be the same in all profiles. The effect of multiPoint on queueSort is
  // known only after the profiles are expanded, and expand() checks it.
  void common_queue_sort() {
    const Profile& first = config_.profiles.front();
    const PluginSet& canon = first.points[Point::kQueueSort];
    if (canon.enabled.size() > 1) {
      invalid("profiles[0].plugins.queueSort.enabled", static_cast<int64_t>(canon.enabled.size()),
              "only one queue sort plugin can be enabled");
    }
    for (size_t i = 1; i < config_.profiles.size(); ++i) {
      const Profile& profile = config_.profiles[i];
      const PluginSet& set = profile.points[Point::kQueueSort];
      if (!same(set.enabled, canon.enabled) || !same(set.disabled, canon.disabled)) {
        not_allowed(profile_path(i) + ".plugins.queueSort", "must be the same for all profiles");
      }
      if (!canon.enabled.empty()) queue_sort_args(canon.enabled.front().name, first, profile);
    }
  }

  void queue_sort_args(std::string_view plugin, const Profile& first, const Profile& profile) {
    const PluginArgs* args = profile.args_of(plugin);
    if (args == nullptr) return;
    const PluginArgs* expected = first.args_of(plugin);
    if (!equal(args->args, expected == nullptr ? document::Value() : expected->args)) {
      faults_.add(args->place, "Invalid value: queueSort must be the same for all profiles");
    }
  }

  static bool same(const std::vector<PluginRef>& a, const std::vector<PluginRef>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const PluginRef& left, const PluginRef& right) {
                        return left.name == right.name && left.weight == right.weight;
                      });
  }

  const Decoded& decoded_;
  const Configuration& config_;
  Places places_;
  Faults& faults_;
};

}  // namespace

void validate_leader_election(const LeaderElection& election,
                              const std::function<Place(std::string_view)>& at, Faults& faults) {
  if (!election.leader_elect) return;
  const auto wrong = [&](std::string_view field, std::string_view reason) {
    faults.add(at(field), "Invalid value: " + std::string(reason));
  };
  const auto positive = [&](std::string_view field, Time duration) {
    if (duration <= Time::zero()) wrong(field, "must be greater than zero");
  };
  positive("leaseDuration", election.lease_duration);
  positive("renewDeadline", election.renew_deadline);
  positive("retryPeriod", election.retry_period);
  if (election.lease_duration <= election.renew_deadline)
    wrong("leaseDuration", "must be greater than renewDeadline");
  const auto required = [&](std::string_view field, const std::string& value) {
    if (value.empty()) faults.required(at(field));
  };
  required("resourceLock", election.resource_lock);
  required("resourceNamespace", election.resource_namespace);
  required("resourceName", election.resource_name);
  if (!election.resource_lock.empty() && election.resource_lock != "leases")
    faults.invalid(at("resourceLock"), quoted(election.resource_lock),
                   "resourceLock value must be \"leases\"");
}

void validate(const Decoded& decoded, document::Value root, Faults& faults) {
  Validation(decoded, root, faults).run();
}

}  // namespace berth::config
