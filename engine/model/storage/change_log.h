#pragma once

// What changed, in order: (table, row, which inputs). A bounded ring. Whoever derived something
// remembers the position it holds for and catches up from there; who fell off the ring does a full
// pass.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/assert.h"

namespace berth::model {

enum class Table : uint8_t { kNone, kNodes, kTaintSets, kImages, kCluster, kCounts, kPods };

// Bits that say which inputs of a row changed. A column carries the bits that its values follow.
using Changes = uint32_t;
namespace change {
inline constexpr Changes kRequestedCpu = 1u << 0;
inline constexpr Changes kRequestedMemory = 1u << 1;
inline constexpr Changes kRequestedEphemeral = 1u << 2;
inline constexpr Changes kRequestedScalar = 1u << 3;
inline constexpr Changes kNonzero = 1u << 4;
inline constexpr Changes kPods = 1u << 5;
inline constexpr Changes kPorts = 1u << 6;
inline constexpr Changes kUnschedulable = 1u << 7;
inline constexpr Changes kLabels = 1u << 8;
inline constexpr Changes kTaints = 1u << 9;
inline constexpr Changes kAllocatable = 1u << 10;
inline constexpr Changes kImages = 1u << 11;
inline constexpr Changes kValue = 1u << 12;  // tables other than nodes
inline constexpr Changes kAnnotations = 1u << 13;
inline constexpr Changes kCounts = 1u << 14;  // of pods, by query; logged when rows are written
inline constexpr Changes kAll = UINT32_MAX;
}  // namespace change

// In place of a row: every row of the table, or the table was renumbered.
inline constexpr uint32_t kEveryRow = UINT32_MAX;

class ChangeLog {
 public:
  struct Entry {
    uint32_t row;
    Changes changes;
    Table table;
  };

  // `capacity` is a power of two.
  explicit ChangeLog(size_t capacity = size_t{1} << 16) : ring_(capacity), mask_(capacity - 1) {
    BERTH_ASSERT(capacity != 0 && (capacity & mask_) == 0);
  }

  void append(Table table, uint32_t row, Changes changes) {
    ring_[end_++ & mask_] = Entry{row, changes, table};
  }

  // Of the next entry. Positions count up for ever.
  uint64_t end() const { return end_; }
  // Whether all entries since `position` are still there.
  bool holds(uint64_t position) const { return end_ - position <= ring_.size(); }
  const Entry& at(uint64_t position) const { return ring_[position & mask_]; }  // held, below end()

 private:
  std::vector<Entry> ring_;
  size_t mask_;
  uint64_t end_ = 0;
};

}  // namespace berth::model
