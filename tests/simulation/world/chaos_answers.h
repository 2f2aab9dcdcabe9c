#pragma once

// What Chaos answers in one simulation. After `heal` it answers SUCCESS everywhere.
//
// Answers within a decision are a function of the seed, the question and the number of the
// decision, so threads and evaluations may ask them as often as they like. `next` draws.

#include <string_view>

#include "engine/runtime/core.h"
#include "tests/simulation/world/draws.h"
#include "tests/simulation/world/faults.h"
#include "tests/simulation/world/ledger.h"
#include "tests/simulation/world/marks.h"

namespace berth::simulation {

class ChaosAnswers {
 public:
  ChaosAnswers(uint64_t seed, Dice& dice, const Rates& rates, Marks& marks);
  ChaosAnswers(const ChaosAnswers&) = delete;
  ChaosAnswers& operator=(const ChaosAnswers&) = delete;

  void attach(const runtime::Core& core) { core_ = &core; }
  void heal() { healed_ = true; }
  const Faults& faults() const { return faults_; }
  // What the plugin was told.
  const Ledger& ledger() const { return ledger_; }

 private:
  uint8_t next(FaultPoint point, int64_t& timeout);
  uint8_t about(FaultPoint point, std::string_view pod, std::string_view node) const;
  uint8_t drawn(FaultPoint point, std::string_view pod) const;
  uint8_t about_node(std::string_view pod, std::string_view node) const;
  // A number for the question in this decision.
  uint64_t number(FaultPoint point, std::string_view pod, std::string_view node) const;

  uint64_t seed_;
  Dice& dice_;
  const Rates& rates_;
  Marks& marks_;
  const runtime::Core* core_ = nullptr;  // null: before the first decision
  bool healed_ = false;
  Faults faults_{};
  Ledger ledger_;
};

}  // namespace berth::simulation
