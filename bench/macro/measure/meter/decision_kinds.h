#pragma once

// Tells the decisions of a pod's template apart: the first ones, those that were verified, and the
// rest. One thread, that of the core.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/macro/measure/recorder.h"
#include "engine/runtime/core.h"

namespace berth::bench {

class DecisionKinds {
 public:
  // The core outlives it.
  explicit DecisionKinds(const runtime::Core& core) : core_(core) {}

  // A measured stretch begins.
  void begin() { verified_ = verified(); }
  // A pod of the template was decided, measured or not. A template whose id another had before
  // counts on.
  void decided(model::TemplateId id) {
    if (id >= tried_of_.size()) tried_of_.resize(id + size_t{1});
    if (tried_of_[id] != UINT8_MAX) ++tried_of_[id];
    tried_ = tried_of_[id];
  }
  // Of the last decision. Call it once for each measured decision.
  Recorder::Kind kind() {
    const uint64_t verified_now = verified();
    if (verified_now != verified_) {
      verified_ = verified_now;
      return Recorder::Kind::kVerified;
    }
    return tried_ <= kFirst ? Recorder::Kind::kFirst : Recorder::Kind::kSteady;
  }

 private:
  // A ranking is made at the second decision of a template.
  static constexpr uint8_t kFirst = 2;

  uint64_t verified() const { return core_.scheduler().decisions().verifications().verified; }

  const runtime::Core& core_;
  std::vector<uint8_t> tried_of_;  // decisions by template, up to 255
  uint8_t tried_ = 0;              // of the template of the last decision
  uint64_t verified_ = 0;          // decisions, when one was last looked at
};

}  // namespace berth::bench
