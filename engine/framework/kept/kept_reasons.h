#pragma once

// The texts with which each row was refused, kept by row, and how many rows have each list of
// texts. Rows share lists, so counting the reasons of a refused pod costs the lists, not the rows.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"

namespace berth::framework {

// The number of nodes refused for each reason. Ordered by text, so that it prints and hashes the
// same everywhere. A node with several reasons counts in each.
using ReasonCounts = std::map<std::string, uint64_t>;

class KeptReasons {
 public:
  // Rows with a higher version have no texts here, or stale ones.
  uint64_t seen = 0;

  // Drops what is there of rows from `rows` on, and makes room for those below.
  void resize(model::Row rows);
  // The number of a list of texts, until clear().
  uint32_t number_of(const std::vector<std::string>& texts);
  // Replaces the row's texts by a list's. Precondition: the row is below the last resize().
  void set(model::Row row, uint32_t list);
  // Forgets all texts.
  void clear();
  // Adds the rows of each text.
  void add_to(ReasonCounts& counts) const;
  // True if there are more lists than rows need: texts of refusals that are over.
  bool overgrown() const { return lists_.size() > 2 * of_row_.size() + 64; }

 private:
  static constexpr uint32_t kNone = 0;
  struct List {
    const std::vector<std::string>* texts = nullptr;  // a key of numbers_
    uint64_t rows = 0;
  };

  std::vector<uint32_t> of_row_;  // number of the list, from 1
  std::vector<List> lists_;       // by number - 1
  std::map<std::vector<std::string>, uint32_t> numbers_;
};

}  // namespace berth::framework
