#include "cli/what_if/known_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "engine/base/text/suggestion.h"
#include "engine/document/document.h"
#include "engine/model/objects/controller_objects.h"
#include "engine/model/objects/string_map.h"

namespace berth::cli {
namespace {

constexpr std::string_view kDrainAnnotation = "berth/drain";
constexpr std::string_view kUnschedulableTaint = "node.kubernetes.io/unschedulable";

void put_value(model::StringMap& map, const std::string& key, const std::string& value) {
  std::erase_if(map, [&](const auto& one) { return one.first == key; });
  map.emplace_back(key, value);
  std::ranges::sort(map);
}

void erase_value(model::StringMap& map, std::string_view key) {
  std::erase_if(map, [&](const auto& one) { return one.first == key; });
}

bool is_meant(const model::Taint& taint, const model::Taint& meant) {
  return taint.key == meant.key && (meant.effect.empty() || taint.effect == meant.effect);
}

// As kubectl: a taint of the same key and effect gets the value.
void put_taint(std::vector<model::Taint>& taints, const model::Taint& taint) {
  const auto at =
      std::ranges::find_if(taints, [&](const auto& one) { return is_meant(one, taint); });
  if (at == taints.end())
    taints.push_back(taint);
  else
    *at = taint;
}

void uncordon(model::Node& node) {
  node.unschedulable = false;
  erase_value(node.annotations, kDrainAnnotation);
  std::erase_if(node.taints, [](const auto& one) { return one.key == kUnschedulableTaint; });
}

void set_labels(const Step& step, model::StringMap& labels) {
  for (const std::string& key : step.without_labels) erase_value(labels, key);
  for (const auto& [key, value] : step.labels) put_value(labels, key, value);
}

bool fulfils(const model::Requirement& wanted, const std::string* value) {
  if (wanted.op == "Exists") return value != nullptr;
  if (wanted.op == "DoesNotExist") return value == nullptr;
  const bool is_in =
      value != nullptr && std::ranges::find(wanted.values, *value) != wanted.values.end();
  return is_in == (wanted.op == "In");
}

std::string workload_key(const std::string& kind, const std::string& namespace_name,
                         const std::string& name) {
  return kind + " " + namespace_name + "/" + name;
}

const model::Workload& workload_of(const model::ControllerObject& object) {
  return std::get<model::Workload>(object.data->value);
}

bool is_workload(const model::ControllerObject& object) {
  return object.data != nullptr && std::holds_alternative<model::Workload>(object.data->value);
}

std::string with_suggestion(std::string text, const std::string& typed,
                            const std::vector<std::string>& known) {
  const std::string meant = nearest_word(typed, known);
  if (!meant.empty()) text += "; did you mean " + document::quoted(meant) + "?";
  return text;
}

}  // namespace

bool selects(const model::LabelSelector& selector, const model::StringMap& labels) {
  const auto has = [&](const auto& pair) {
    const std::string* value = model::value_in(labels, pair.first);
    return value != nullptr && *value == pair.second;
  };
  return std::ranges::all_of(selector.match_labels, has) &&
         std::ranges::all_of(selector.match_expressions, [&](const model::Requirement& one) {
           return fulfils(one, model::value_in(labels, one.key));
         });
}

std::optional<model::Node> changed_node(const Step& step, model::Node node) {
  switch (step.verb) {
    case Verb::kCordon:
      node.unschedulable = true;
      return node;
    case Verb::kUncordon:
      uncordon(node);
      return node;
    case Verb::kDrain:
      put_value(node.annotations, std::string(kDrainAnnotation), step.options);
      return node;
    case Verb::kTaint:
      put_taint(node.taints, step.taint);
      return node;
    case Verb::kUntaint:
      std::erase_if(node.taints, [&](const auto& one) { return is_meant(one, step.taint); });
      return node;
    case Verb::kLabel:
      set_labels(step, node.labels);
      return node;
    case Verb::kRemove:
    case Verb::kScale:
    case Verb::kConfigure:
      return std::nullopt;
  }
  return std::nullopt;
}

void KnownObjects::object_changed(model::Operation operation, const model::Object& object) {
  const bool gone = operation == model::Operation::kDeleted;
  if (const auto* node = std::get_if<model::Node>(&object)) {
    if (gone)
      nodes_.erase(node->name);
    else
      nodes_[node->name] = *node;
  }
  const auto* boxed = std::get_if<model::ControllerObject>(&object);
  if (boxed == nullptr) return;
  const std::string key = key_of(*boxed);
  if (gone)
    workloads_.erase(key);
  else if (is_workload(*boxed))
    workloads_[key] = *boxed;
}

std::string KnownObjects::key_of(const model::ControllerObject& object) {
  return workload_key(object.kind, object.namespace_name, object.name);
}

const model::Workload* KnownObjects::workload(const std::string& key) const {
  const auto at = workloads_.find(key);
  return at == workloads_.end() ? nullptr : &workload_of(at->second);
}

std::vector<const model::Node*> KnownObjects::chosen(const NodeChoice& nodes) const {
  std::vector<const model::Node*> found;
  for (const std::string& name : nodes.names) {
    const auto at = nodes_.find(name);
    if (at == nodes_.end()) {
      std::vector<std::string> known;
      for (const auto& [one, node] : nodes_) known.push_back(one);
      throw Error(nodes.place,
                  with_suggestion("there is no node " + document::quoted(name) + " at that time",
                                  name, known));
    }
    found.push_back(&at->second);
  }
  if (!nodes.names.empty()) return found;
  for (const auto& [name, node] : nodes_)
    if (selects(nodes.selector, node.labels)) found.push_back(&node);
  if (found.empty()) no_node(nodes);
  return found;
}

void KnownObjects::no_node(const NodeChoice& nodes) const {
  std::set<std::string> known;
  for (const auto& [name, node] : nodes_)
    for (const auto& [key, value] : node.labels) known.insert(key + "=" + value);
  throw Error(nodes.place,
              with_suggestion("no node is selected by " + document::quoted(nodes.selector_text) +
                                  " at that time",
                              nodes.selector_text, {known.begin(), known.end()}));
}

StepChanges KnownObjects::changes_of(const Step& step) const {
  if (step.verb == Verb::kConfigure) return {};
  if (step.verb == Verb::kScale) return scale(step.scaling);
  StepChanges made;
  bool tainted = false;
  for (const model::Node* node : chosen(step.nodes)) {
    made.nodes.push_back(node->name);
    tainted |= std::ranges::any_of(node->taints,
                                   [&](const auto& one) { return is_meant(one, step.taint); });
    std::optional<model::Node> after = changed_node(step, *node);
    made.changes.push_back(after ? model::modified(*std::move(after))
                                 : model::deleted_node(node->name));
  }
  if (step.verb == Verb::kUntaint && !tainted)
    throw Error(step.nodes.place, fmt::format("no node of {} has the taint {}", made.nodes.size(),
                                              document::quoted(step.taint.key)));
  return made;
}

StepChanges KnownObjects::scale(const Scaling& scaling) const {
  const std::string key = workload_key(scaling.kind, scaling.namespace_name, scaling.name);
  const auto at = workloads_.find(key);
  if (at == workloads_.end()) {
    std::vector<std::string> known;
    for (const auto& [one, object] : workloads_) known.push_back(one);
    throw Error(scaling.place,
                with_suggestion("there is no " + key + " whose controller is played", key, known));
  }
  model::ControllerObject object = at->second;
  auto data = std::make_shared<model::ControllerObjectData>(*object.data);
  model::Workload& workload = std::get<model::Workload>(data->value);
  workload.replicas = scaling.replicas;
  StepChanges made;
  made.controller = workload.controller;
  object.data = std::move(data);
  made.changes.push_back(model::modified(std::move(object)));
  return made;
}

std::string KnownObjects::owner_text(const std::string& namespace_name,
                                     const model::Controller& owner) const {
  for (const auto& [key, object] : workloads_) {
    const model::Controller& of = workload_of(object).controller;
    if (object.namespace_name == namespace_name && of.kind == owner.kind && of.name == owner.name)
      return key;
  }
  return workload_key(owner.kind, namespace_name, owner.name);
}

}  // namespace berth::cli
