#include "engine/played/controllers/nodes/stopped_kubelets.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "engine/model/objects/string_map.h"

namespace berth::played {
namespace {

constexpr std::string_view kKubelet = "berth/kubelet", kStopped = "stopped";

bool is_stopped(const model::Node& node) {
  const std::string* state = model::value_in(node.annotations, kKubelet);
  return state != nullptr && *state == kStopped;
}

bool is_unknown(const model::Node& node) {
  return std::ranges::any_of(node.conditions, [](const model::NodeCondition& one) {
    return one.type == "Ready" && one.status == "Unknown";
  });
}

// Takes the name in, or out. Returns true if it was there.
bool put(std::set<std::string, std::less<>>& nodes, const std::string& name, bool in) {
  return in ? !nodes.insert(name).second : nodes.erase(name) != 0;
}

}  // namespace

void StoppedKubelets::object_changed(model::Operation operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr) return;
  const bool is_there = operation != model::Operation::kDeleted;
  const bool stopped = is_there && is_stopped(*node);
  put(stopped_, node->name, stopped);
  if (!is_there) return;
  const bool silent = stopped || is_unknown(*node);
  if (put(silent_, node->name, silent) && !silent) evictor_.kubelet_answers(node->name);
}

}  // namespace berth::played
