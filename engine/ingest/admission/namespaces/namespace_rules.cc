#include "engine/ingest/admission/namespaces/namespace_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "engine/ingest/admission/label_syntax.h"
#include "engine/ingest/admission/pods/default_tolerations.h"
#include "engine/ingest/admission/pods/match_label_keys.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/toleration_field.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {
namespace {

constexpr const char kNodeSelector[] = "scheduler.alpha.kubernetes.io/node-selector";
constexpr const char kDefaults[] = "scheduler.alpha.kubernetes.io/defaultTolerations";
constexpr const char kAllowed[] = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::vector<model::Toleration> read_tolerations(std::string_view text, const char* annotation,
                                                std::string& problem) {
  std::vector<model::Toleration> tolerations;
  if (trimmed(text).empty()) return tolerations;
  Diagnostics found;
  document::Limits limits;
  limits.json_only = true;
  const document::Document list = document::Document::parse(text, annotation, found, limits);
  Faults faults(found);
  if (list.roots().size() == 1 && list.roots()[0].kind() == document::Kind::kArray) {
    for (const document::Value element : list.roots()[0].elements())
      tolerations.push_back(read_toleration({element, faults}));
  } else if (found.count() == 0) {
    found.report(Error("expected a list of tolerations"));
  }
  if (found.count() != 0)
    problem = fmt::format("the annotation {} of the namespace: {}", annotation,
                          found.kept().front().message());
  return tolerations;
}

}  // namespace

bool read_labels(std::string_view text, model::StringMap& labels, std::string& problem) {
  if (text.empty()) return true;
  for (const std::string_view one : split(text, ',')) {
    const std::vector<std::string_view> parts = split(one, '=');
    if (parts.size() != 2) {
      problem = fmt::format("invalid selector: [{}]", fmt::join(parts, " "));
      return false;
    }
    const std::string_view key = trimmed(parts[0]), value = trimmed(parts[1]);
    std::vector<std::string> problems = label_key_problems(key);
    for (std::string& more : label_value_problems(value)) problems.push_back(std::move(more));
    if (!problems.empty()) {
      problem = fmt::format("invalid selector: \"{}\": {}", one, fmt::join(problems, "; "));
      return false;
    }
    set_label(labels, std::string(key), std::string(value));
  }
  return true;
}

NamespaceRules namespace_rules(document::Value object) {
  Diagnostics ignored;  // who reads the namespace reports its faults
  Faults faults(ignored);
  const FieldReader metadata = FieldReader(object, faults).object("metadata");
  NamespaceRules rules;
  rules.name = metadata.text("name");
  const model::StringMap annotations = metadata.string_map("annotations");
  if (const auto text = label_of(annotations, kNodeSelector))
    read_labels(*text, rules.node_selector.emplace(), rules.node_selector_problem);
  if (const auto text = label_of(annotations, kDefaults))
    rules.default_tolerations = read_tolerations(*text, kDefaults, rules.tolerations_problem);
  if (const auto text = label_of(annotations, kAllowed))
    rules.allowed_tolerations = read_tolerations(*text, kAllowed, rules.tolerations_problem);
  return rules;
}

std::optional<std::string> add_node_selector(const NamespaceRules& rules,
                                             const ClusterRules& cluster, model::PodSpec& spec) {
  if (!rules.node_selector_problem.empty()) return rules.node_selector_problem;
  const model::StringMap& labels =
      rules.node_selector ? *rules.node_selector : cluster.node_selector;
  for (const auto& [key, value] : labels) {
    const auto own = label_of(spec.node_selector, key);
    if (own && *own != value)
      return "pod node label selector conflicts with its namespace node label selector";
  }
  for (const auto& [key, value] : labels) {
    set_label(spec.node_selector, key, value);
    spec.has_node_selector = true;
  }
  return std::nullopt;
}

std::optional<std::string> check_node_selector(const std::string& namespace_name,
                                               const ClusterRules& cluster,
                                               const model::PodSpec& spec) {
  const auto allowed = cluster.allowed_labels.find(namespace_name);
  if (allowed == cluster.allowed_labels.end() || allowed->second.empty()) return std::nullopt;
  for (const auto& [key, value] : spec.node_selector)
    if (label_of(allowed->second, key) != std::string_view(value))
      return "pod node label selector labels conflict with its namespace whitelist";
  return std::nullopt;
}

std::optional<std::string> add_tolerations(const NamespaceRules& rules, const ClusterRules& cluster,
                                           model::PodSpec& spec) {
  if (!rules.tolerations_problem.empty()) return rules.tolerations_problem;
  spec.tolerations = merged_tolerations(
      rules.default_tolerations ? *rules.default_tolerations : cluster.default_tolerations,
      spec.tolerations);
  return std::nullopt;
}

std::optional<std::string> check_tolerations(const NamespaceRules& rules,
                                             const ClusterRules& cluster,
                                             const model::PodSpec& spec) {
  const std::vector<model::Toleration>& allowed =
      rules.allowed_tolerations ? *rules.allowed_tolerations : cluster.allowed_tolerations;
  if (allowed.empty()) return std::nullopt;
  for (const model::Toleration& one : spec.tolerations)
    if (std::ranges::none_of(allowed, [&](const model::Toleration& by) { return covers(by, one); }))
      return "pod tolerations (possibly merged with namespace default tolerations) conflict with "
             "its namespace whitelist";
  return std::nullopt;
}

}  // namespace berth::ingest
