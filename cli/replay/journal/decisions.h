#pragma once

// The decisions of a run as a journal keeps them: one for each attempt, in order.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/journal/packed.h"
#include "cli/results/text_table.h"
#include "engine/runtime/core.h"

namespace berth::cli {

// Views are valid until the next decision is taken.
struct Decided {
  enum class Outcome : uint8_t { kPlaced, kRefused, kFailed };

  std::string_view pod;   // namespace/name
  std::string_view node;  // empty: none
  // The nominated node, and the pods that are evicted for it; empty: none.
  std::string_view nominates;
  Outcome outcome = Outcome::kRefused;
  Time at{};  // of the run's clock

  // The same was decided, at whatever time.
  bool same(const Decided& other) const {
    return pod == other.pod && node == other.node && nominates == other.nominates &&
           outcome == other.outcome;
  }
};

// "on n1", "refused", "refused, and nominates n1 (evicts default/a)", "failed".
std::string decided_text(const Decided& decided);

// Makes decisions of the reports of a run.
class DecisionTaker {
 public:
  // The decision that the report tells; null: it tells none. Valid until the next call.
  const Decided* take(const runtime::Report& report, const runtime::Core& core);

 private:
  void take_nomination(const framework::Decision& decision, const model::Cluster& cluster);

  std::string pod_, node_, nominates_;
  Decided decided_;
};

// Packs decisions for a frame, which can be read without those before.
class DecisionPacker {
 public:
  void add(const Decided& decided);
  bool empty() const { return count_ == 0; }
  size_t size() const { return packer_.size(); }
  // The payload: how many decisions there were before, those that were added, and `hash` over all.
  // Empties the packer.
  std::vector<uint8_t> take(uint64_t before, uint64_t hash);
  uint64_t count() const { return count_; }

 private:
  void text(std::string_view text);

  Packer packer_;
  TextTable texts_;
  TextTable::Id known_ = 0;
  uint64_t count_ = 0;
  int64_t at_ = 0;
};

// The decisions of a journal.
class DecisionList {
 public:
  // Appends those of a frame. Throws Error if it is malformed, or does not follow those before.
  void add(std::span<const uint8_t> payload);
  size_t size() const { return decisions_.size(); }
  Decided operator[](size_t i) const;
  // The hash over the first `count` decisions, if the journal has it.
  std::optional<uint64_t> hash_after(size_t count) const;

 private:
  struct Kept {
    TextTable::Id pod, node, nominates;
    Decided::Outcome outcome;
    int64_t at;
  };
  struct Mark {
    size_t count;
    uint64_t hash;
  };

  TextTable texts_;
  std::vector<Kept> decisions_;
  std::vector<Mark> marks_;
};

}  // namespace berth::cli
