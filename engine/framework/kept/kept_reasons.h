#pragma once

// The filter that refused each row and the texts with which it did, kept by row, and how many rows
// have each filter and list of texts. Rows share lists, so counting the reasons of a refused pod
// costs the lists, not the rows.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"

namespace berth::framework {

// The number of nodes refused for each reason. Ordered by text, so that it prints and hashes the
// same everywhere. A node with several reasons counts in each.
using ReasonCounts = std::map<std::string, uint64_t>;

// The reasons of refused rows, and the filters that refused them.
struct CountedReasons {
  ReasonCounts counts;
  std::set<Refuser> refusers;
};

class KeptReasons {
 public:
  // Rows with a higher version have no texts here, or stale ones.
  uint64_t seen = 0;

  // Drops what is there of rows from `rows` on, and makes room for those below.
  void resize(model::Row rows);
  // The number of a filter's list of texts, until clear().
  uint32_t number_of(Refuser refuser, const std::vector<std::string>& texts);
  // Replaces the row's texts by a list's. Precondition: the row is below the last resize(), and
  // number_of() returned the list.
  void set(model::Row row, uint32_t list);
  // Forgets all texts.
  void clear();
  // Those of all rows.
  CountedReasons count() const;
  // True if there are more lists than rows need: texts of refusals that are over.
  bool overgrown() const { return lists_.size() > 2 * of_row_.size() + 64; }

 private:
  static constexpr uint32_t kNone = 0;
  using Key = std::pair<Refuser, std::vector<std::string>>;
  struct List {
    const Key* key = nullptr;  // of numbers_
    uint64_t rows = 0;
  };

  std::vector<uint32_t> of_row_;  // number of the list, from 1
  std::vector<List> lists_;       // by number - 1
  std::map<Key, uint32_t> numbers_;
};

}  // namespace berth::framework
