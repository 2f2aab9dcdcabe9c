#pragma once

// For each rare resource, which is not looked for on all nodes, the slots of nodes that may offer
// it or hold pods that request it. The column of such a resource is filled from them, so it costs
// what it holds, and not a look at every node and every pod.
//
// A slot that is listed may have none of the resource: who reads looks at the node. Belongs to the
// node table and has its threads.

#include <algorithm>
#include <array>
#include <bit>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "engine/model/columns/strings.h"
#include "engine/model/pods/pod_table.h"

namespace berth::model {

class ResourceSlots {
 public:
  // Interns the names of the resources that are not rare.
  explicit ResourceSlots(Strings& strings)
      : everywhere_{strings.intern("cpu"), strings.intern("memory"),
                    strings.intern("ephemeral-storage"), strings.intern("pods")} {}

  bool is_rare(StringId resource) const {
    return std::ranges::find(everywhere_, resource) == everywhere_.end();
  }
  // Precondition of each call with a resource: it is rare.
  void note(StringId resource, Slot slot) {
    std::vector<Word>& words = slots_[resource];
    const Slot number = slot / kSlots;
    auto at = std::ranges::lower_bound(words, number, {}, &Word::number);
    if (at == words.end() || at->number != number) at = words.insert(at, {number, 0});
    at->bits |= uint64_t{1} << slot % kSlots;
  }
  // Calls visit(slot) for each slot of the resource, in ascending order.
  template <typename Visit>
  void for_each(StringId resource, Visit&& visit) const {
    const auto at = slots_.find(resource);
    if (at == slots_.end()) return;
    for (const Word& word : at->second) for_each_in(word, visit);
  }
  // Forgets the slots for which has(resource, slot) is false.
  template <typename Has>
  void keep(const Has& has) {
    boost::unordered::erase_if(slots_, [&](auto& entry) {
      const StringId resource = entry.first;
      std::vector<Word>& words = entry.second;
      for (Word& word : words) {
        uint64_t kept = 0;
        for_each_in(word, [&](Slot slot) {
          if (has(resource, slot)) kept |= uint64_t{1} << slot % kSlots;
        });
        word.bits = kept;
      }
      std::erase_if(words, [](const Word& word) { return word.bits == 0; });
      return words.empty();
    });
  }
  size_t resources() const { return slots_.size(); }

 private:
  static constexpr Slot kSlots = 64;  // of a word
  struct Word {
    Slot number;
    uint64_t bits;
  };

  template <typename Visit>
  static void for_each_in(const Word& word, Visit&& visit) {
    for (uint64_t left = word.bits; left != 0; left &= left - 1)
      visit(word.number * kSlots + static_cast<Slot>(std::countr_zero(left)));
  }

  const std::array<StringId, 4> everywhere_;
  // Words with a slot, in ascending order: most resources are on few nodes.
  boost::unordered_flat_map<StringId, std::vector<Word>> slots_;
};

}  // namespace berth::model
