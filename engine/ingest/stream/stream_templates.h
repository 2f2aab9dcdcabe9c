#pragma once

// The templates that a stream has defined and not retired.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::ingest {

// One thread.
class StreamTemplates {
 public:
  enum class State : uint8_t {
    kUnknown,
    kWaiting,  // for pods that wait for a node
    kPlaced,   // the spec names a node
  };

  // Defines a template. Returns the reason why it cannot be defined (the id is taken or too large),
  // or nothing. Requires: `spec` is not null.
  [[nodiscard]] std::optional<std::string> define(uint32_t id,
                                                  std::shared_ptr<const model::PodSpec> spec);
  // Forgets a template; its id may be defined again. False if there is none with this id.
  [[nodiscard]] bool retire(uint32_t id);

  State state(uint32_t id) const { return id < states_.size() ? states_[id] : State::kUnknown; }

  // Requires: state(id) is not kUnknown.
  const model::PodSpec& spec(uint32_t id) const { return *specs_[id]; }

  // Null if the id is unknown.
  std::shared_ptr<const model::PodSpec> find(uint32_t id) const {
    return state(id) == State::kUnknown ? nullptr : specs_[id];
  }

 private:
  // Two vectors of equal length, because only the state is read for each pod.
  std::vector<State> states_;
  std::vector<std::shared_ptr<const model::PodSpec>> specs_;
};

}  // namespace berth::ingest
