#include "cli/what_if/script.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/text/go_duration.h"
#include "engine/base/text/joined.h"

namespace berth::cli {
namespace {

constexpr std::array<std::string_view, 9> kVerbNames = {
    "cordon", "uncordon", "drain", "remove", "taint", "untaint", "label", "scale", "configure"};

std::string nodes_text(const NodeChoice& nodes) {
  if (!nodes.selector_text.empty()) return "nodes " + nodes.selector_text;
  return (nodes.names.size() == 1 ? "node " : "nodes ") + joined(nodes.names, ", ");
}

std::string with_value(const std::string& key, const std::string& value) {
  return value.empty() ? key : key + "=" + value;
}

std::string taint_text(const model::Taint& taint) {
  const std::string text = with_value(taint.key, taint.value);
  return taint.effect.empty() ? text : text + ":" + taint.effect;
}

std::string labels_text(const Step& step) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : step.labels) texts.push_back(key + "=" + value);
  for (const std::string& key : step.without_labels) texts.push_back(key + "-");
  return joined(texts, " ");
}

std::string other_text(const OtherConfiguration& other) {
  std::vector<std::string> texts;
  if (!other.file.empty()) texts.push_back(other.file);
  if (!other.version.empty()) texts.push_back("Kubernetes " + other.version);
  if (!other.gates.empty()) texts.push_back(other.gates);
  return joined(texts, ", ");
}

}  // namespace

std::string_view verb_name(Verb verb) { return kVerbNames[static_cast<size_t>(verb)]; }

const std::vector<std::string>& scalable_kinds() {
  static const std::vector<std::string> kKinds = {"Deployment", "ReplicaSet",
                                                  "ReplicationController", "StatefulSet"};
  return kKinds;
}

const OtherConfiguration* Script::other() const {
  for (const Step& step : steps)
    if (step.verb == Verb::kConfigure) return &step.other;
  return nullptr;
}

std::string step_text(const Step& step) {
  const std::string verb(verb_name(step.verb));
  switch (step.verb) {
    case Verb::kCordon:
    case Verb::kUncordon:
    case Verb::kRemove:
      return verb + " " + nodes_text(step.nodes);
    case Verb::kDrain:
      return verb + " " + nodes_text(step.nodes) + (step.options.empty() ? "" : " ") + step.options;
    case Verb::kTaint:
    case Verb::kUntaint:
      return verb + " " + nodes_text(step.nodes) + " " + taint_text(step.taint);
    case Verb::kLabel:
      return verb + " " + nodes_text(step.nodes) + " " + labels_text(step);
    case Verb::kScale:
      return fmt::format("scale {} {}/{} to {}", step.scaling.kind, step.scaling.namespace_name,
                         step.scaling.name, step.scaling.replicas);
    case Verb::kConfigure:
      return verb + " " + other_text(step.other);
  }
  return verb;
}

}  // namespace berth::cli
