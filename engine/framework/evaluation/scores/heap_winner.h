#pragma once

// The order in which a binary heap that was built over a list gives out the first of several equal
// maxima: Go's container/heap.Init and Pop, with which kube-scheduler 1.36 chooses a node.
//
// The list is an implicit tree: the positions 2p + 1 and 2p + 2 are below position p. Building the
// heap moves a maximum of a subtree to its root: the root itself if it is one, else that of the
// left half if it has one, else that of the right half. So the winner is the first maximum in
// pre-order (0, 1, 3, 7, ...), whatever the other values are.
//
// Of one level of the tree, the leftmost maximum comes first in pre-order. Against a winner of the
// levels above, it comes first if it is to the left of all that is below that winner. So the winner
// is found in one pass over the list, a level at a time, and only a part of each level is looked
// at.
//
// Sources: Go's container/heap; kube-scheduler v1.36.2 schedule_one.go newSortedNodeScores,
// nodeScoreHeap.

#include <cstdint>
#include <optional>

namespace berth::framework {

class HeapWinner {
 public:
  // A maximum; to be called in the order of positions. True: it is the winner so far.
  bool offer(uint64_t position) {
    while (end_ <= position && begin_ != end_) pass();
    if (position < begin_ || begin_ == end_) return false;
    end_ = position;
    pass();
    return true;
  }
  // True: no position behind those that were offered can win any more.
  bool is_known() const { return begin_ == end_; }
  // No position before it can win.
  uint64_t begin() const { return begin_; }

 private:
  void pass() {
    begin_ = 2 * begin_ + 1;
    end_ = 2 * end_ + 1;
  }

  // Of the level that is looked at, the positions to the left of all that is below the winner.
  uint64_t begin_ = 0, end_ = 1;
};

// The winner among `count` positions; is_best(position) tells whether it is a maximum. Nothing: no
// position is one.
template <typename IsBest>
std::optional<uint64_t> heap_winner(uint64_t count, IsBest&& is_best) {
  HeapWinner heap;
  std::optional<uint64_t> winner;
  for (uint64_t position = 0; position < count && !heap.is_known(); ++position)
    if (is_best(position) && heap.offer(position)) winner = position;
  return winner;
}

}  // namespace berth::framework
