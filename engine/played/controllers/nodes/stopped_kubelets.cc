#include "engine/played/controllers/nodes/stopped_kubelets.h"

#include <string_view>
#include <variant>

#include "engine/model/objects/string_map.h"

namespace berth::played {
namespace {

constexpr std::string_view kKubelet = "berth/kubelet", kStopped = "stopped";

}  // namespace

void StoppedKubelets::object_changed(model::Operation operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr) return;
  const std::string* state = model::value_in(node->annotations, kKubelet);
  const bool is_there = operation != model::Operation::kDeleted;
  if (is_there && state != nullptr && *state == kStopped) {
    nodes_.insert(node->name);
  } else {
    nodes_.erase(node->name);
  }
}

}  // namespace berth::played
