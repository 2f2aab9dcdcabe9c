#include "engine/events/node_events.h"

#include <utility>

namespace berth::events {
namespace {

Event about(const std::string& node, std::string reason, std::string note) {
  return {.controller = kNodeController,
          .regarding = {.kind = "Node", .name = node},
          .reason = std::move(reason),
          .action = {},
          .note = std::move(note)};
}

}  // namespace

Event node_registered(const std::string& node) {
  return about(node, "RegisteredNode",
               "Node " + node + " event: Registered Node " + node + " in Controller");
}

Event node_removed(const std::string& node) {
  return about(node, "RemovingNode",
               "Node " + node + " event: Removing Node " + node + " from Controller");
}

Event node_not_ready(const std::string& node) {
  return about(node, "NodeNotReady", "Node " + node + " status is now: NodeNotReady");
}

}  // namespace berth::events
