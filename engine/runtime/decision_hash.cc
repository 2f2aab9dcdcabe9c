#include "engine/runtime/decision_hash.h"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY  // the size of the state, so that it can be a member
#include <xxhash.h>

namespace berth::runtime {

struct DecisionHash::State {
  XXH3_state_t hash;
};

DecisionHash::DecisionHash() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->hash);
}

DecisionHash::~DecisionHash() = default;

// The length goes first, so that no two different sequences of texts give the same bytes.
void DecisionHash::text(std::string_view text) {
  number(text.size());
  XXH3_64bits_update(&state_->hash, text.data(), text.size());
}

void DecisionHash::number(uint64_t number) {
  XXH3_64bits_update(&state_->hash, &number, sizeof number);
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

uint64_t DecisionHash::value() const { return XXH3_64bits_digest(&state_->hash); }

std::string DecisionHash::to_string() const { return fmt::format("{:016x}", value()); }

}  // namespace berth::runtime
