#pragma once

// The change log: what changed in the model, in order.
//
// Code that keeps data derived from the model (a ranking of nodes, a queue of pods that wait for
// room) can bring it up to date in two ways: derive it again, or read the changes since. The log
// serves the second.
//
// Positions. Entries are numbered from 0 in the order of the writes; numbers are never reused. A
// reader derives its state, remembers `end()`, and later reads the entries from that position up to
// the new `end()`. An entry gives the place of a change, not the new value: the reader takes the
// value from the model, so it may skip repetitions and read entries in any order.
//
// Bound. The log is a ring of a fixed number of entries. It is never truncated, and readers do not
// register with it: an append overwrites the oldest entry. A reader calls `holds(position)` before
// it reads; if the answer is false, entries were lost and the reader derives its state again. A
// reader that reads rarely costs nothing to others.
//
// Entries by table:
//   kNodes     one row of the node table: the inputs of the row that changed, as bits. A column's
//              `ColumnInfo::changes` are the bits that its values depend on. The row number is that
//              of the order at the time of the entry.
//   kNodes with kEveryRow and kAll: rows were renumbered, or their number shrank. Rows in entries
//              before this one mean other nodes. `domain` is the number of the renumbering, by
//              which RowOrder::renumbering() says where rows went. If it is 0, or that is not kept
//              any more, a reader forgets all rows, or compares the generations of blocks (see
//              column.h), which change only where values do.
//              A node that is added after all others is one entry of its row, with kAll.
//   kNodes with kEveryRow and other bits: the inputs of many rows changed, which are not listed.
//   kNodes with a column in `domain`: no other column of these inputs changed. 0: any of them may
//              have. Counts have it, because each query is a column of its own.
//   kTaintSets, kImages, kBudgets: the value of one code; entries are added or changed.
//   kCluster   the number of nodes, or the epoch that is the column in `domain`.
//   kCounts    a count query (`row`) in one domain (`domain`): kValue, its count changed; kDomains,
//              a node joined or left the domain, so that the minimum and the number of domains may
//              have changed. Where each node is a domain, the domain is the node's slot + 1.
//   kCarried   a match set (`row`) in one domain: its sum of weights changed.
// A new query, match set or column has no entry: the code that asked for it reads it whole.
//
// Counts by row lag. The columns node.count and node.carried are written when they are read
// (`Cluster::refresh`, `column` and `view`), not when a pod is placed. Their entries (kNodes with
// kCounts) are appended at that time, so any number of entries may lie between them and the entry
// of the pod that caused them. A reader of such a column therefore refreshes it first and takes
// `end()` afterwards. A reader that uses the entries kCounts and kCarried does not have to.
//
// The log belongs to the cluster and to the thread that owns the model. Other threads may read it
// while the model is not modified.

#include <cstdint>
#include <vector>

#include "engine/base/assert.h"

namespace berth::model {

enum class Table : uint8_t {
  kNone,
  kNodes,
  kTaintSets,
  kImages,
  kCluster,
  kCounts,
  kCarried,
  kPods,
  kEvents,  // the object of one event; only hints see it
  kBudgets,
  kNominated,  // no entries: columns of it tell by their generations
};

// Bits that say which inputs of a row changed. A column carries the bits that its values follow.
using Changes = uint32_t;
namespace change {
// Sums over the pods of a node. Placing or removing a pod sets those to which it adds.
inline constexpr Changes kRequestedCpu = 1u << 0;
inline constexpr Changes kRequestedMemory = 1u << 1;
inline constexpr Changes kRequestedEphemeral = 1u << 2;
inline constexpr Changes kRequestedScalar = 1u << 3;
inline constexpr Changes kNonzero = 1u << 4;
inline constexpr Changes kPods = 1u << 5;
inline constexpr Changes kPorts = 1u << 6;
// Fields of the Node object. An update sets those whose values differ.
inline constexpr Changes kUnschedulable = 1u << 7;
inline constexpr Changes kLabels = 1u << 8;
inline constexpr Changes kTaints = 1u << 9;
// The claims, disks and volumes of a node's pods.
inline constexpr Changes kVolumes = 1u << 18;
inline constexpr Changes kAllocatable = 1u << 10;
inline constexpr Changes kImages = 1u << 11;
inline constexpr Changes kDeclaredFeatures = 1u << 19;
inline constexpr Changes kValue = 1u << 12;  // of tables other than nodes
inline constexpr Changes kAnnotations = 1u << 13;
inline constexpr Changes kCounts = 1u << 14;   // of node.count and node.carried, which lag
inline constexpr Changes kDomains = 1u << 15;  // of kCounts: the nodes that participate
// Of columns whose values follow the pods on a node.
inline constexpr Changes kOfPods = kRequestedCpu | kRequestedMemory | kRequestedEphemeral |
                                   kRequestedScalar | kNonzero | kPods | kPorts | kVolumes |
                                   kCounts;
// Facts about a node's pods that no column of nodes follows.
inline constexpr Changes kNominated = 1u << 16;  // the pods that are nominated to the node
inline constexpr Changes kPodFacts = 1u << 17;   // labels and start times of its pods
inline constexpr Changes kOfNoColumn = kNominated | kPodFacts;
inline constexpr Changes kAll = UINT32_MAX;
}  // namespace change

// Stands for a row in entries about many rows; see the top of this file.
inline constexpr uint32_t kEveryRow = UINT32_MAX;

class ChangeLog {
 public:
  struct Entry {
    uint32_t row;     // of kNodes; a code of kTaintSets and kImages; a query; a match set
    uint32_t domain;  // of kCounts and kCarried; of kNodes and kCluster as said above; else 0
    Changes changes;
    Table table;
  };

  // `capacity`: number of entries, a power of two. A cluster uses the default.
  explicit ChangeLog(size_t capacity = size_t{1} << 16) : ring_(capacity), mask_(capacity - 1) {
    BERTH_ASSERT(capacity != 0 && (capacity & mask_) == 0);
  }

  // Appends an entry, over the oldest one if the ring is full. Does not allocate.
  void append(Table table, uint32_t row, Changes changes, uint32_t domain = 0) {
    ring_[end_++ & mask_] = Entry{row, domain, changes, table};
  }

  size_t capacity() const { return ring_.size(); }
  // The position that the next entry gets.
  uint64_t end() const { return end_; }
  // True if all entries from `position` to the end can be read. Precondition: position <= end().
  bool holds(uint64_t position) const {
    BERTH_ASSERT(position <= end_);
    return end_ - position <= ring_.size();
  }
  // Precondition: holds(position), and position < end().
  const Entry& at(uint64_t position) const {
    BERTH_ASSERT(position < end_ && holds(position));
    return ring_[position & mask_];
  }

 private:
  std::vector<Entry> ring_;
  size_t mask_;
  uint64_t end_ = 0;
};

}  // namespace berth::model
