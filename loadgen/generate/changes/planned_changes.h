#pragma once

// The changes of owners, nodes and namespaces that are planned, in the order in which they happen.

#include <cstdint>
#include <vector>

#include "loadgen/generate/draws/draws.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// The values are part of the seed's meaning: append new ones, do not reorder.
enum class What : uint8_t {
  kScale,
  kFail,
  kRepair,
  kDrain,
  kUndrain,
  kNodeLabel,
  kNamespaceCome,
  kNamespaceGo,
  kNamespaceLabel,
  kOutage,
  kOutageEnd,
  kZoneOutage,
  kZoneOutageEnd,
  kRollingDrain,
  kRollingReturn
};

struct Planned {
  int64_t at = 0;  // kNever at most
  What what = What::kScale;
  uint32_t of = 0;  // index of the owner or of the churn entry
  // The number of the node or namespace; for recurring changes, of the change.
  uint64_t number = 0;
};

// 64 random bits for an occurrence of a recurring change.
uint64_t drawn_for(uint64_t seed, For purpose, const Planned& change);

// One thread.
class PlannedChanges {
 public:
  // The earliest change; null if none is planned. Valid until the next call of add() or take().
  const Planned* first() const { return heap_.empty() ? nullptr : &heap_.front().change; }
  // Changes of equal times happen in the order in which they were added. A time after kNever
  // becomes kNever.
  void add(const Planned& change);
  // Removes the earliest change. Requires: there is one.
  Planned take();

 private:
  struct Entry {
    Planned change;
    uint64_t order = 0;
  };
  // Orders the heap with the earliest change on top.
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.change.at != b.change.at ? a.change.at > b.change.at : a.order > b.order;
    }
  };

  std::vector<Entry> heap_;
  uint64_t added_ = 0;
};

}  // namespace berth::loadgen
