#include "engine/queue/places/sift_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace berth::queue {
namespace {

struct Item {
  int key = 0;
  int id = 0;
  bool ahead(const Item& other) const { return key < other.key; }
};

// A heap that notes where each item is.
class Tracked {
 public:
  void push(int key, int id) { heap_.push({key, id}); }
  void remove(int id) {
    heap_.remove(at_.at(id));
    at_.erase(id);
  }
  void update(int key, int id) { heap_.update(at_.at(id), {key, id}); }
  bool knows_positions() const {
    for (size_t i = 0; i < heap_.size(); ++i)
      if (at_.at(heap_.entries()[i].id) != i) return false;
    return heap_.size() == at_.size();
  }
  std::vector<int> drained() {
    std::vector<int> ids;
    while (!heap_.empty()) {
      ids.push_back(heap_.first().id);
      remove(ids.back());
    }
    return ids;
  }

 private:
  struct Note {
    std::map<int, size_t>* at;
    void operator()(const Item& item, size_t position) const { (*at)[item.id] = position; }
  };
  std::map<int, size_t> at_;
  SiftHeap<Item, Note> heap_{Note{&at_}};
};

// Numbered in the order of the keys.
Tracked heap_of(const std::vector<int>& keys) {
  Tracked heap;
  for (size_t i = 0; i < keys.size(); ++i) heap.push(keys[i], static_cast<int>(i));
  return heap;
}

// The expected orders are worked out by hand from the moves of container/heap.
TEST(SiftHeap, TheLastOfEqualEntriesFollowsTheFirst) {
  EXPECT_EQ(heap_of({1, 1, 1, 1, 1}).drained(), (std::vector<int>{0, 4, 3, 2, 1}));
}

TEST(SiftHeap, AnEntryDoesNotPassItsEqual) {
  EXPECT_EQ(heap_of({2, 2, 1, 1, 2}).drained(), (std::vector<int>{2, 3, 1, 0, 4}));
}

// Removing 1 puts 4 in its place, above 3.
TEST(SiftHeap, TheLastEntryTakesARemovedOnesPlace) {
  Tracked heap = heap_of({1, 2, 3, 2, 2});
  heap.remove(1);
  EXPECT_EQ(heap.drained(), (std::vector<int>{0, 3, 4, 2}));
}

// An entry that is removed and pushed again moves, one that is updated in place does not.
TEST(SiftHeap, AnUpdateWithTheSameKeyChangesNothing) {
  Tracked updated = heap_of({1, 1, 1, 1});
  updated.update(1, 1);
  EXPECT_EQ(updated.drained(), (std::vector<int>{0, 3, 2, 1}));
  Tracked pushed = heap_of({1, 1, 1, 1});
  pushed.remove(1);
  pushed.push(1, 1);
  EXPECT_EQ(pushed.drained(), (std::vector<int>{0, 1, 2, 3}));
}

TEST(SiftHeap, AnUpdateMovesUpAndDown) {
  Tracked heap = heap_of({10, 20, 30, 40, 50});
  heap.update(5, 4);
  heap.update(60, 0);
  EXPECT_EQ(heap.drained(), (std::vector<int>{4, 1, 2, 3, 0}));
}

RC_GTEST_PROP(SiftHeap, SortsAndKnowsPositions, (std::vector<std::pair<uint8_t, uint8_t>> steps)) {
  Tracked heap;
  std::map<int, int> keys;
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto [drawn, what] = steps[i];
    if (what % 4 == 0 && !keys.empty()) {
      const int gone = std::next(keys.begin(), drawn % static_cast<long>(keys.size()))->first;
      heap.remove(gone);
      keys.erase(gone);
    } else if (what % 4 == 1 && !keys.empty()) {
      const int changed = std::next(keys.begin(), drawn % static_cast<long>(keys.size()))->first;
      heap.update(keys[changed] = drawn, changed);
    } else {
      const int id = static_cast<int>(i);
      heap.push(keys[id] = drawn, id);
    }
    RC_ASSERT(heap.knows_positions());
  }
  const std::vector<int> order = heap.drained();
  RC_ASSERT(order.size() == keys.size());
  RC_ASSERT(
      std::is_sorted(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; }));
}

}  // namespace
}  // namespace berth::queue
