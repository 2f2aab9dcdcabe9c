#include "engine/ingest/workloads/matching.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "engine/ingest/admission/pods/match_label_keys.h"

namespace berth::ingest {
namespace {

using Text = std::optional<std::string_view>;

std::optional<int64_t> whole(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool compares(const model::Requirement& requirement, std::string_view text) {
  const std::optional<int64_t> number = whole(text);
  if (!number || requirement.values.size() != 1) return false;
  const std::optional<int64_t> bound = whole(requirement.values[0]);
  return bound && (requirement.op == "Gt" ? *number > *bound : *number < *bound);
}

bool meets(const model::Requirement& requirement, const Text& value) {
  const auto listed = [&] {
    return std::ranges::find(requirement.values, *value) != requirement.values.end();
  };
  if (requirement.op == "In") return value && listed();
  if (requirement.op == "NotIn") return !value || !listed();
  if (requirement.op == "Exists") return value.has_value();
  if (requirement.op == "DoesNotExist") return !value.has_value();
  if (requirement.op == "Gt" || requirement.op == "Lt")
    return value && compares(requirement, *value);
  return false;
}

bool matches(const model::NodeSelectorTerm& term, const model::Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  return std::ranges::all_of(term.match_expressions,
                             [&](const model::Requirement& requirement) {
                               return meets(requirement, label_of(node.labels, requirement.key));
                             }) &&
         std::ranges::all_of(term.match_fields, [&](const model::Requirement& requirement) {
           return requirement.key == "metadata.name" &&
                  meets(requirement, std::string_view(node.name));
         });
}

bool tolerates(const model::Toleration& toleration, const model::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return (toleration.op.empty() || toleration.op == "Equal") && !toleration.key.empty() &&
         toleration.value == taint.value;
}

bool matches(const model::PodSpec& spec, const model::Node& node) {
  if (!spec.node_name.empty() && spec.node_name != node.name) return false;
  for (const auto& [key, value] : spec.node_selector)
    if (label_of(node.labels, key) != value) return false;
  if (!spec.affinity.node_required) return true;
  return std::ranges::any_of(
      spec.affinity.node_required->terms,
      [&](const model::NodeSelectorTerm& term) { return matches(term, node); });
}

bool tolerates_all(const model::PodSpec& spec, const model::Node& node, bool no_schedule) {
  return std::ranges::all_of(node.taints, [&](const model::Taint& taint) {
    if (taint.effect != "NoExecute" && !(no_schedule && taint.effect == "NoSchedule")) return true;
    return std::ranges::any_of(spec.tolerations, [&](const model::Toleration& toleration) {
      return tolerates(toleration, taint);
    });
  });
}

}  // namespace

bool selects(const model::LabelSelector& selector, const model::StringMap& labels) {
  for (const auto& [key, value] : selector.match_labels)
    if (label_of(labels, key) != value) return false;
  return std::ranges::all_of(selector.match_expressions,
                             [&](const model::Requirement& requirement) {
                               return meets(requirement, label_of(labels, requirement.key));
                             });
}

bool daemon_fits(const model::PodSpec& spec, const model::Node& node) {
  return matches(spec, node) && tolerates_all(spec, node, true);
}

bool daemon_stays(const model::PodSpec& spec, const model::Node& node) {
  return matches(spec, node) && tolerates_all(spec, node, false);
}

}  // namespace berth::ingest
