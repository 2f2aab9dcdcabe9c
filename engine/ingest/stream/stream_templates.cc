#include "engine/ingest/stream/stream_templates.h"

#include <utility>

#include "engine/ingest/stream/stream.h"

namespace berth::ingest {

std::optional<std::string> StreamTemplates::define(uint32_t id,
                                                   std::shared_ptr<const model::PodSpec> spec) {
  if (id > kMaxTemplateId) {
    return std::to_string(id) + " is above " + std::to_string(kMaxTemplateId) +
           ", the largest number that a template may have";
  }
  if (state(id) != State::kUnknown) {
    return "template " + std::to_string(id) + " is there already, and was not retired";
  }
  if (id >= states_.size()) {
    states_.resize(id + 1, State::kUnknown);
    specs_.resize(id + 1);
  }
  states_[id] = spec->node_name.empty() ? State::kWaiting : State::kPlaced;
  specs_[id] = std::move(spec);
  return std::nullopt;
}

bool StreamTemplates::retire(uint32_t id) {
  if (state(id) == State::kUnknown) return false;
  states_[id] = State::kUnknown;
  specs_[id].reset();
  return true;
}

}  // namespace berth::ingest
