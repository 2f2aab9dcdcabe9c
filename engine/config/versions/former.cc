#include "engine/config/versions/former.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text/suggestion.h"
#include "engine/config/profiles/default_plugins.h"
#include "engine/config/read/node.h"
#include "engine/config/versions/former_names.h"
#include "engine/config/versions/version.h"

namespace berth::config {
namespace {

using document::Kind;
using document::Value;

struct FormerVersion {
  std::string_view name;
  std::string_view last_release;
};

constexpr FormerVersion kFormerVersions[] = {
    {"v1alpha1", "v1.18"}, {"v1alpha2", "v1.18"}, {"v1beta1", "v1.22"}};

constexpr std::string_view kOtherLines = "; what it has that v1 has not is named with it";

// Reports the field at `names` below `node`, in every element of the lists on the way to it.
void report_field(const Node& node, std::string_view names, std::string_view instead,
                  Faults& faults) {
  if (node.value.is(Kind::kArray)) {
    size_t index = 0;
    for (const Value element : node.value.elements())
      report_field(node.element(element, index++), names, instead, faults);
    return;
  }
  const size_t end = std::min(names.find('.'), names.size());
  const std::string_view name = names.substr(0, end);
  const Node member = node.member(node.value.find(name), name);
  if (!member.set()) return;
  if (end == names.size()) {
    faults.add(member.place(), "is no field of v1: " + std::string(instead));
  } else {
    report_field(member, names.substr(end + 1), instead, faults);
  }
}

void report_plugin(const Node& node, Faults& faults) {
  const Node name = node.member(node.value.find("name"), "name");
  const auto replacement = replacement_of(name.value.text());
  if (!replacement) return;
  faults.add(name.place(), "plugin " + quoted(name.value.text()) + " is not in v1: use " +
                               std::string(*replacement));
}

void report_plugins(const Node& list, Faults& faults) {
  size_t index = 0;
  for (const Value element : list.value.elements())
    report_plugin(list.element(element, index++), faults);
}

// The plugins below a profile, or below the root of v1alpha1, which has one profile.
void report_profile(const Node& profile, Faults& faults) {
  const Node plugins = profile.member(profile.value.find("plugins"), "plugins");
  for (const document::Member& point : plugins.value.members()) {
    const Node set = plugins.member(point.value, point.key);
    report_plugins(set.member(set.value.find("enabled"), "enabled"), faults);
  }
  report_plugins(profile.member(profile.value.find("pluginConfig"), "pluginConfig"), faults);
}

void refuse_version(Value root, const FormerVersion& version, Faults& faults) {
  const Node node{.value = root, .path = ""};
  const Node api = node.member(root.find("apiVersion"), "apiVersion");
  faults.add(api.place(), quoted(api.value.text()) +
                              " is not read: the last kube-scheduler that read it was " +
                              std::string(version.last_release) + "; write " +
                              quoted(api_version(Version::kV1)) + std::string(kOtherLines));
  for (const FormerField& field : former_configuration_fields())
    report_field(node, field.path, field.instead, faults);
  report_profile(node, faults);
  const Node profiles = node.member(root.find("profiles"), "profiles");
  size_t index = 0;
  for (const Value profile : profiles.value.elements())
    report_profile(profiles.element(profile, index++), faults);
}

// The plugin that a predicate or a priority is today.
struct FormerTable {
  std::string_view what;
  std::span<const FormerName> names;
  std::span<const FormerArgument> arguments;
};

// The plugins of an entry; nothing if kube-scheduler had neither its name nor its argument.
std::string_view plugins_of(Value entry, std::string_view name, const FormerTable& table) {
  for (const FormerArgument& argument : table.arguments)
    if (entry.find("argument").find(argument.member).set()) return argument.plugins;
  const auto known = std::ranges::find(table.names, name, &FormerName::name);
  return known == table.names.end() ? std::string_view() : known->plugins;
}

std::string unknown(std::string_view name, const FormerTable& table) {
  std::vector<std::string> candidates;
  for (const FormerName& candidate : table.names) candidates.emplace_back(candidate.name);
  const std::string near = nearest_word(name, candidates);
  return quoted(name) + " is no " + std::string(table.what) + " of kube-scheduler" +
         (near.empty() ? "" : "; did you mean " + near + "?");
}

std::string meaning(Value entry, std::string_view name, const FormerTable& table) {
  const std::string_view plugins = plugins_of(entry, name, table);
  if (plugins.empty()) return unknown(name, table);
  std::string text =
      std::string(table.what) + " " + quoted(name) + ": enable " + std::string(plugins);
  const Value weight = entry.find("weight");
  if (weight.is(Kind::kNumber)) text += ", weight " + std::string(weight.number_text());
  return text;
}

void report_names(const Node& list, const FormerTable& table, Faults& faults) {
  size_t index = 0;
  for (const Value element : list.value.elements()) {
    const Node entry = list.element(element, index++);
    const Value name = element.find("name");
    faults.add(name.present() ? entry.member(name, "name").place() : entry.place(),
               meaning(element, name.text(), table));
  }
}

void refuse_policy(Value root, Faults& faults) {
  const Node node{.value = root, .path = ""};
  faults.add(node.member(root.find("kind"), "kind").place(),
             "a Policy is not read: the last kube-scheduler that read it was v1.22; write a "
             "KubeSchedulerConfiguration of version " +
                 quoted(api_version(Version::kV1)) +
                 "; what each predicate and priority is there is named with it");
  report_names(node.member(root.find("predicates"), "predicates"),
               {"predicate", former_predicates(), former_predicate_arguments()}, faults);
  report_names(node.member(root.find("priorities"), "priorities"),
               {"priority", former_priorities(), former_priority_arguments()}, faults);
  for (const FormerField& field : former_policy_fields())
    report_field(node, field.path, field.instead, faults);
}

}  // namespace

bool refuse_former(Value root, Faults& faults) {
  const std::string_view api = root.find("apiVersion").text();
  const std::string_view kind = root.find("kind").text();
  if (kind == "Policy" && (api.empty() || api == "v1" || api.starts_with(kConfigGroup))) {
    refuse_policy(root, faults);
    return true;
  }
  if (kind != kConfigKind || !api.starts_with(kConfigGroup)) return false;
  const std::string_view name = api.substr(kConfigGroup.size());
  const auto version = std::ranges::find(kFormerVersions, name, &FormerVersion::name);
  if (version == std::end(kFormerVersions)) return false;
  refuse_version(root, *version, faults);
  return true;
}

}  // namespace berth::config
