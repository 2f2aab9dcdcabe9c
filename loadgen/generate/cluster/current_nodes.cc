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
  if (state->second.stops != 0)
    loadgen::set_label(node.annotations, kKubeletAnnotation, kStoppedKubelet);
  if (state->second.drain)
    loadgen::set_label(node.annotations, kDrainAnnotation, *state->second.drain);
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
    if (!has_shape(number, shapes)) continue;
    const auto state = states_.find(number);
    if (state == states_.end() || state->second.well()) return number;
  }
  return std::nullopt;
}

bool CurrentNodes::has_shape(uint64_t number, const std::vector<uint32_t>& shapes) const {
  return shapes.empty() || std::ranges::find(shapes, nodes_.shape(number)) != shapes.end();
}

bool CurrentNodes::down(uint64_t number) const {
  const auto state = states_.find(number);
  return state != states_.end() && state->second.down;
}

bool CurrentNodes::stop(uint64_t number) { return ++states_[number].stops == 1; }

bool CurrentNodes::go_on(uint64_t number) {
  State& state = states_[number];
  BERTH_ASSERT(state.stops != 0);
  return --state.stops == 0;
}

bool CurrentNodes::drains(uint64_t number) const {
  const auto state = states_.find(number);
  return state != states_.end() && state->second.drain;
}

void CurrentNodes::begin_drain(uint64_t number, const std::string& options) {
  states_[number].drain = options;
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
