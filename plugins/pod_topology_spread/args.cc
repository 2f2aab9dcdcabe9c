#include "plugins/pod_topology_spread/args.h"

#include <string_view>

namespace berth::plugins {
namespace {

constexpr std::string_view kHonour = "Honor";

// The system defaults of kube-scheduler v1.34.1 (podtopologyspread/plugin.go).
std::vector<DefaultConstraint> system_constraints() {
  return {{"kubernetes.io/hostname", "ScheduleAnyway", 3},
          {"topology.kubernetes.io/zone", "ScheduleAnyway", 5}};
}

void check_key(const sdk::Config& constraint, const std::string& key) {
  const sdk::Config field = constraint["topologyKey"];
  if (key.empty()) return field.error("Required value: can not be empty");
  for (const std::string& problem : sdk::qualified_name_problems(key))
    field.error(sdk::concat("Invalid value: \"", key, "\": ", problem));
}

void check_when(const sdk::Config& constraint, const std::string& when) {
  const sdk::Config field = constraint["whenUnsatisfiable"];
  if (when.empty())
    field.error("Required value: can not be empty");
  else if (when != "DoNotSchedule" && when != "ScheduleAnyway")
    field.error(sdk::concat("Unsupported value: \"", when,
                            "\": supported values: \"DoNotSchedule\", \"ScheduleAnyway\""));
}

DefaultConstraint read_constraint(const sdk::Config& item) {
  DefaultConstraint read;
  read.max_skew = item["maxSkew"].integer(0, INT32_MIN, INT32_MAX);
  if (read.max_skew <= 0)
    item["maxSkew"].error(
        sdk::concat("Invalid value: ", read.max_skew, ": not in valid range (0, inf)"));
  read.topology_key = item["topologyKey"].text();
  check_key(item, read.topology_key);
  read.when_unsatisfiable = item["whenUnsatisfiable"].text();
  check_when(item, read.when_unsatisfiable);
  read.min_domains = item["minDomains"].integer(1, INT32_MIN, INT32_MAX);
  read.honours_affinity = item["nodeAffinityPolicy"].text(kHonour) == kHonour;
  read.honours_taints = item["nodeTaintsPolicy"].text() == kHonour;
  // kube-scheduler derives the selector of a default constraint per pod and drops matchLabelKeys
  // with the configured one, so the field is accepted and ignored.
  item["matchLabelKeys"].accept();
  const sdk::Config selector = item["labelSelector"];
  if (selector.present())
    selector.error(
        "Forbidden: constraint must not define a selector, as they deduced for each pod");
  selector.accept();
  return read;
}

bool repeats(const std::vector<DefaultConstraint>& before, const DefaultConstraint& one) {
  for (const DefaultConstraint& other : before)
    if (other.topology_key == one.topology_key &&
        other.when_unsatisfiable == one.when_unsatisfiable)
      return true;
  return false;
}

}  // namespace

SpreadArgs read_spread_args(const sdk::Config& config) {
  config.type_meta("PodTopologySpreadArgs");
  SpreadArgs args;
  const sdk::Config type = config["defaultingType"];
  const std::string_view given = type.text();
  args.system_defaults = given.empty() || given == "System";
  if (!args.system_defaults && given != "List")
    type.error(
        sdk::concat("Unsupported value: \"", given, "\": supported values: \"List\", \"System\""));
  for (const sdk::Config& item : config["defaultConstraints"].elements()) {
    if (!item.object()) continue;
    DefaultConstraint read = read_constraint(item);
    if (repeats(args.constraints, read))
      item.error(sdk::concat("Duplicate value: \"{", read.topology_key, ", ",
                             read.when_unsatisfiable, "}\""));
    args.constraints.push_back(std::move(read));
  }
  if (!args.system_defaults) return args;
  if (!args.constraints.empty())
    type.error("Invalid value: \"System\": when .defaultConstraints are not empty");
  args.constraints = system_constraints();
  return args;
}

}  // namespace berth::plugins
