#include "engine/runtime/scheduling/decision_hash.h"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY  // the size of the state, so that it can be a member
#include <xxhash.h>

#include <array>
#include <cstring>
#include <utility>

namespace berth::runtime {

// Bytes are collected, because an update of the hash costs more than the few bytes of a number.
struct DecisionHash::State {
  XXH3_state_t hash;
  size_t size = 0;  // of the bytes that are not in the hash
  std::array<char, kBuffer> bytes;

  // Moves the bytes to the hash unless so many more fit beside them.
  void make_room(size_t more) {
    if (more <= kBuffer - size) [[likely]]
      return;
    XXH3_64bits_update(&hash, bytes.data(), std::exchange(size, 0));
  }
};

DecisionHash::DecisionHash() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->hash);
}

DecisionHash::~DecisionHash() = default;

inline void DecisionHash::number(uint64_t number) {
  State& state = *state_;
  state.make_room(sizeof number);
  std::memcpy(state.bytes.data() + state.size, &number, sizeof number);
  state.size += sizeof number;
}

// The length goes first, so that no two different sequences of texts give the same bytes.
void DecisionHash::text(std::string_view text) {
  State& state = *state_;
  const uint64_t size = text.size();
  if (sizeof size + size > kBuffer) {
    number(size);
    state.make_room(kBuffer);
    XXH3_64bits_update(&state.hash, text.data(), size);
    return;
  }
  state.make_room(sizeof size + size);
  char* const to = state.bytes.data() + state.size;
  std::memcpy(to, &size, sizeof size);
  if (size != 0) std::memcpy(to + sizeof size, text.data(), size);
  state.size += sizeof size + size;
}

void DecisionHash::add(std::string_view namespace_name, std::string_view name,
                       std::string_view node, const framework::Decision& decision) {
  text(namespace_name);
  text(name);
  text(node);
  if (node.empty()) {
    number(decision.reasons.size());
    for (const auto& [reason, count] : decision.reasons) {
      text(reason);
      number(count);
    }
    if (decision.reasons.empty()) text(decision.message);
  }
  number(decision.draw);
  number(decision.evaluated);
  number(decision.next_start);
}

uint64_t DecisionHash::value() const {
  XXH3_64bits_update(&state_->hash, state_->bytes.data(), std::exchange(state_->size, 0));
  return XXH3_64bits_digest(&state_->hash);
}

std::string DecisionHash::to_string() const { return fmt::format("{:016x}", value()); }

}  // namespace berth::runtime
