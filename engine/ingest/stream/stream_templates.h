#pragma once

// The templates that a stream has defined so far.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

class StreamTemplates {
 public:
  enum class State : uint8_t {
    kUnknown,
    kWaiting,  // of pods that wait for a node
    kPlaced,   // it names a node itself
  };

  // Why it cannot be; empty: it was defined.
  std::string define(uint32_t id, std::shared_ptr<const model::PodSpec> spec);

  State state(uint32_t id) const { return id < states_.size() ? states_[id] : State::kUnknown; }

  // Requires: state(id) is not kUnknown.
  const model::PodSpec& spec(uint32_t id) const { return *specs_[id]; }

  // Null if it is unknown.
  std::shared_ptr<const model::PodSpec> find(uint32_t id) const {
    return state(id) == State::kUnknown ? nullptr : specs_[id];
  }

 private:
  // Two vectors, because only the states are looked at for each pod. Equally long.
  std::vector<State> states_;
  std::vector<std::shared_ptr<const model::PodSpec>> specs_;
};

}  // namespace berth::ingest
