#include "loadgen/import/testing.h"

#include <fmt/format.h>

#include <variant>

#include "engine/ingest/written/object_json.h"

namespace berth::loadgen::testing_imports {
namespace {

std::string labels_text(const model::StringMap& labels) {
  std::string text;
  for (const auto& [key, value] : labels) text += " " + key + "=" + value;
  return text;
}

// Kind and name, and what tests tell apart.
std::string text_of(const model::Node& node) {
  return "node " + full_name(node) + labels_text(node.labels);
}

std::string text_of(const model::Namespace& object) {
  return "namespace " + full_name(object) + labels_text(object.labels);
}

std::string text_of(const ingest::TemplatePod& pod) {
  if (!pod.node_name.empty())
    return "placed " + full_name(pod) + " on " + pod.node_name + labels_text(pod.labels);
  return (pod.terminating ? "terminating " : "pod ") + full_name(pod) + labels_text(pod.labels);
}

std::string text_of(const model::SelectorOwner& owner) { return "owner " + full_name(owner); }

std::string text_of(const model::DisruptionBudget& budget) {
  return fmt::format("budget {} allows {}", full_name(budget), budget.disruptions_allowed) +
         (budget.selector ? labels_text(budget.selector->match_labels) : " without a selector");
}

std::string text_of(const model::VolumeObject& object) {
  return fmt::format("{} {}", model::kind_of(object), full_name(object));
}

std::string text_of(const model::PodGroup& group) { return "group " + full_name(group); }

std::string text_of(const model::EvictionRequest& request) {
  return "eviction of " + full_name(request);
}

std::string text_of(const model::ControllerObject& object) {
  return object.kind + " " + full_name(object);
}

std::string text_of(const model::Object& object) {
  return std::visit([](const auto& one) { return text_of(one); }, object);
}

std::string cluster_line(const model::Object& object) {
  const auto* storage = std::get_if<model::VolumeObject>(&object);
  if (storage == nullptr) return text_of(object);
  std::string json;
  ingest::append(*storage, json);
  return json;
}

std::string event_line(const ingest::Change& event) {
  const std::string text = text_of(event.object);
  if (event.operation == model::Operation::kDeleted)  // only kind and name are there
    return "-" + text.substr(0, text.find(' ', text.find(' ') + 1));
  return (event.operation == model::Operation::kAdded ? "+" : "~") + text;
}

}  // namespace

std::vector<std::string> lines_of(Load& load) {
  std::vector<std::string> lines;
  LoadStep step;
  while (load.next(step)) {
    const std::string at = fmt::format("{}ms ", step.at.count() / 1'000'000);
    const auto add = [&](const std::string& text) { lines.push_back(at + text); };
    for (const ingest::Change& change : step.cluster) add(cluster_line(change.object));
    for (const ingest::Change& event : step.events) add(event_line(event));
    for (size_t i = 0; i < step.pods.size(); ++i) {
      std::string line = fmt::format("{}ms {}pod {}/{}", step.planned[i].count() / 1'000'000,
                                     step.measured ? "measured " : "", step.pods.namespace_of(i),
                                     step.pods.names[i]);
      const size_t end = step.pods.label_ends.empty() ? 0 : step.pods.label_ends[i];
      for (size_t at_label = i == 0 || end == 0 ? 0 : step.pods.label_ends[i - 1]; at_label < end;
           ++at_label)
        line += fmt::format(" {}={}", step.pods.labels[at_label].first,
                            step.pods.labels[at_label].second);
      for (const std::string_view claim : step.pods.claims_of(i))
        line += fmt::format(" of {}", claim);
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace berth::loadgen::testing_imports
