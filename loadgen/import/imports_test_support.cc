#include "loadgen/import/imports_test_support.h"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

#include "engine/ingest/written/object_json.h"

namespace berth::loadgen::testing_imports {
namespace {

std::string labels_text(const model::StringMap& labels) {
  std::string text;
  for (const auto& [key, value] : labels) text += " " + key + "=" + value;
  return text;
}

std::string budget_text(const model::DisruptionBudget& budget) {
  return fmt::format("budget {}/{} allows {}", budget.namespace_name, budget.name,
                     budget.disruptions_allowed) +
         (budget.selector ? labels_text(budget.selector->match_labels) : " without a selector");
}

std::string storage_text(const model::VolumeObject& object) {
  return fmt::format("{} {}", model::kind_of(object), model::full_name(object));
}

std::string event_line(const ingest::Event& event) {
  return std::visit(
      [](const auto& e) -> std::string {
        using E = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<E, ingest::NodeAdded>) {
          return "+node " + e.node.name + labels_text(e.node.labels);
        } else if constexpr (std::is_same_v<E, ingest::NodeUpdated>) {
          return "~node " + e.node.name + labels_text(e.node.labels);
        } else if constexpr (std::is_same_v<E, ingest::NodeDeleted>) {
          return "-node " + e.name;
        } else if constexpr (std::is_same_v<E, ingest::PodPlaced>) {
          return "+placed " + e.pod.namespace_name + "/" + e.pod.name + " on " + e.pod.node_name;
        } else if constexpr (std::is_same_v<E, ingest::PodUpdated>) {
          return std::string(e.pod.terminating ? "~terminating " : "~pod ") + e.pod.namespace_name +
                 "/" + e.pod.name + labels_text(e.pod.labels);
        } else if constexpr (std::is_same_v<E, ingest::PodDeleted>) {
          return "-pod " + e.namespace_name + "/" + e.name;
        } else if constexpr (std::is_same_v<E, ingest::NamespaceAdded>) {
          return "+namespace " + e.object.name + labels_text(e.object.labels);
        } else if constexpr (std::is_same_v<E, ingest::SelectorOwnerAdded>) {
          return "+owner " + e.object.namespace_name + "/" + e.object.name;
        } else if constexpr (std::is_same_v<E, ingest::SelectorOwnerDeleted>) {
          return "-owner " + e.namespace_name + "/" + e.name;
        } else if constexpr (std::is_same_v<E, ingest::DisruptionBudgetAdded>) {
          return "+" + budget_text(e.object);
        } else if constexpr (std::is_same_v<E, ingest::DisruptionBudgetDeleted>) {
          return "-budget " + e.namespace_name + "/" + e.name;
        } else if constexpr (std::is_same_v<E, ingest::VolumeObjectAdded>) {
          return "+" + storage_text(e.object);
        } else if constexpr (std::is_same_v<E, ingest::VolumeObjectDeleted>) {
          return "-" + storage_text(e.object);
        } else {
          return "other event";
        }
      },
      event);
}

}  // namespace

std::vector<std::string> lines_of(Load& load) {
  std::vector<std::string> lines;
  LoadStep step;
  while (load.next(step)) {
    const std::string at = fmt::format("{}ms ", step.at.count() / 1'000'000);
    const auto add = [&](const std::string& text) { lines.push_back(at + text); };
    for (const model::Namespace& object : step.cluster.namespaces)
      add("namespace " + object.name + labels_text(object.labels));
    for (const model::SelectorOwner& owner : step.cluster.selector_owners)
      add("owner " + owner.namespace_name + "/" + owner.name);
    for (const model::DisruptionBudget& budget : step.cluster.disruption_budgets)
      add(budget_text(budget));
    for (const model::VolumeObject& object : step.cluster.storage) {
      std::string json;
      ingest::append(object, json);
      add(json);
    }
    for (const model::Node& node : step.cluster.nodes)
      add("node " + node.name + labels_text(node.labels));
    for (const ingest::TemplatePod& pod : step.cluster.pods)
      add("placed " + pod.namespace_name + "/" + pod.name + " on " + pod.node_name +
          labels_text(pod.labels));
    for (const ingest::Event& event : step.events) add(event_line(event));
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
