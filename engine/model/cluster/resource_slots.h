#pragma once

// For each extended or otherwise rare resource, the slots of nodes that may offer it or hold pods
// that request it. The column of such a resource is filled from them, so it costs what it holds,
// and not a look at every node and every pod.
//
// A slot that is listed may have none of the resource: who reads looks at the node. Belongs to the
// node table and has its threads.

#include <bit>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "engine/model/pods/pod_table.h"
#include "engine/model/storage/strings.h"

namespace berth::model {

class ResourceSlots {
 public:
  void note(StringId resource, Slot slot) {
    std::vector<uint64_t>& words = slots_[resource];
    if (slot / kWord >= words.size()) words.resize(slot / kWord + 1);
    words[slot / kWord] |= uint64_t{1} << slot % kWord;
  }
  // Calls visit(slot) for each slot of the resource, in ascending order.
  template <typename Visit>
  void for_each(StringId resource, Visit&& visit) const {
    if (const auto at = slots_.find(resource); at != slots_.end()) for_each_in(at->second, visit);
  }
  // Forgets the slots for which has(resource, slot) is false.
  template <typename Has>
  void keep(Has&& has) {
    boost::unordered::erase_if(slots_, [&](auto& entry) {
      auto& [resource, words] = entry;
      bool any = false;
      for_each_in(words, [&](Slot slot) {
        if (has(resource, slot)) {
          any = true;
        } else {
          words[slot / kWord] &= ~(uint64_t{1} << slot % kWord);
        }
      });
      return !any;
    });
  }
  size_t resources() const { return slots_.size(); }

 private:
  static constexpr Slot kWord = 64;  // slots

  // The word is read before its slots are visited, so a visit may clear their bits.
  template <typename Visit>
  static void for_each_in(const std::vector<uint64_t>& words, Visit&& visit) {
    for (Slot word = 0; word < words.size(); ++word)
      for (uint64_t left = words[word]; left != 0; left &= left - 1)
        visit(word * kWord + static_cast<Slot>(std::countr_zero(left)));
  }

  boost::unordered_flat_map<StringId, std::vector<uint64_t>> slots_;  // a bit by slot
};

}  // namespace berth::model
