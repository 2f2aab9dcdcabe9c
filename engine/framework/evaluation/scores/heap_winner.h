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
  // The first maximum among positions [begin(), end()) is taken next, or the range is passed. An
  // empty range: no position behind it can win any more. Ranges follow each other.
  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }
  bool is_known() const { return begin_ == end_; }
  void take(uint64_t position) {
    winner_ = position;
    end_ = position;
    pass();
  }
  void pass() {
    begin_ = 2 * begin_ + 1;
    end_ = 2 * end_ + 1;
  }

  // Of the positions so far; nothing: none is a maximum.
  std::optional<uint64_t> winner() const { return winner_; }

 private:
  uint64_t begin_ = 0, end_ = 1;
  std::optional<uint64_t> winner_;
};

// The winner among `count` positions; is_best(position) tells whether it is a maximum.
template <typename IsBest>
std::optional<uint64_t> heap_winner(uint64_t count, IsBest&& is_best) {
  HeapWinner heap;
  while (!heap.is_known() && heap.begin() < count) {
    uint64_t position = heap.begin();
    while (position < heap.end() && position < count && !is_best(position)) ++position;
    if (position < heap.end() && position < count) {
      heap.take(position);
    } else {
      heap.pass();
    }
  }
  return heap.winner();
}

}  // namespace berth::framework
