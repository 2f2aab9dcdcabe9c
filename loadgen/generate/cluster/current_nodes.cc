#include "loadgen/generate/cluster/current_nodes.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/draw.h"

namespace berth::loadgen {
namespace {

// Draws at most this many nodes to find one that can change.
constexpr uint64_t kTries = 64;

}  // namespace

model::Node CurrentNodes::now(uint64_t number) const {
  model::Node node = nodes_.make(number);
  const auto state = states_.find(number);
  if (state == states_.end()) return node;
  for (const auto& [key, value] : state->second.labels) loadgen::set_label(node.labels, key, value);
  if (state->second.drained) set_unschedulable(node, true);
  return node;
}

uint32_t CurrentNodes::failures(uint64_t number) const {
  const auto state = states_.find(number);
  return state == states_.end() ? 0 : state->second.failures;
}

std::optional<uint64_t> CurrentNodes::choose(const std::vector<uint32_t>& shapes,
                                             uint64_t bits) const {
  for (uint64_t i = 0; i < kTries; ++i, bits = mix(bits + i)) {
    const uint64_t number = below(bits, nodes_.count());
    if (!shapes.empty() && std::ranges::find(shapes, nodes_.shape(number)) == shapes.end())
      continue;
    const auto state = states_.find(number);
    if (state == states_.end() || (!state->second.down && !state->second.drained)) return number;
  }
  return std::nullopt;
}

void CurrentNodes::fail(uint64_t number) {
  State& state = states_[number];
  BERTH_ASSERT(!state.down);
  state.down = true;
  ++state.failures;
}

void CurrentNodes::repair(uint64_t number) {
  State& state = states_[number];
  BERTH_ASSERT(state.down);
  state.down = false;
}

void CurrentNodes::set_label(uint64_t number, const std::string& key, const std::string& value) {
  loadgen::set_label(states_[number].labels, key, value);
}

}  // namespace berth::loadgen
