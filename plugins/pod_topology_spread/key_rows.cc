#include "plugins/pod_topology_spread/key_rows.h"

#include <bit>

namespace berth::plugins {
namespace {

size_t words(uint64_t rows) { return (rows + 63) / 64; }

// The feasible rows of a word that are in `among`.
uint64_t word_of(const berth_feasible& feasible, const RowWords* among, size_t word) {
  return feasible.rows[word] & (among != nullptr ? (*among)[word] : ~uint64_t{0});
}

}  // namespace

void KeyRows::read_labels(const berth_column& has_label) {
  if (has_label.generation == labels_read_ && labels_read_ != 0) return;
  labels_read_ = has_label.generation;
  labelled_.assign(words(has_label.count), 0);
  all_labelled_ = true;
  const auto* values = static_cast<const uint8_t*>(has_label.data);
  for (uint64_t row = 0; row < has_label.count; ++row) {
    labelled_[row / 64] |= uint64_t{values[row] != 0} << row % 64;
    all_labelled_ &= values[row] != 0;
  }
}

void KeyRows::read_domains(const berth_column& domains, const berth_column& labels,
                           uint32_t empty) {
  // Generations only grow, so the sum differs whenever one of them does.
  const bool known = domains.generation != 0 && labels.generation != 0;
  const uint64_t generation = known ? domains.generation + labels.generation : 0;
  if (generation == domains_read_ && known) return;
  domains_read_ = generation;
  domains_.clear();
  if (domains.dictionary_size > kMostDomains) return;
  domains_.resize(domains.dictionary_size, RowWords(words(domains.count)));
  const auto* codes = static_cast<const uint32_t*>(domains.data);
  const auto* values = static_cast<const uint32_t*>(labels.data);
  for (uint64_t row = 0; row < domains.count; ++row)
    domains_[values[row] == empty ? 0 : codes[row]][row / 64] |= uint64_t{1} << row % 64;
}

int64_t KeyRows::count_domains(const berth_feasible& feasible, const RowWords* among) const {
  int64_t found = 0;
  for (const RowWords& domain : domains_) {
    for (size_t word = 0; word < words(feasible.row_count); ++word) {
      if ((word_of(feasible, among, word) & domain[word]) == 0) continue;
      ++found;
      break;
    }
  }
  return found;
}

int64_t count_rows(const berth_feasible& feasible, const RowWords* among) {
  if (among == nullptr) return static_cast<int64_t>(feasible.feasible);
  int64_t found = 0;
  for (size_t word = 0; word < words(feasible.row_count); ++word)
    found += std::popcount(word_of(feasible, among, word));
  return found;
}

std::shared_ptr<KeyRows> RowsByKey::of(uint32_t key) {
  std::shared_ptr<KeyRows> rows = all_[key].lock();
  if (rows != nullptr) return rows;
  std::erase_if(all_, [](const auto& entry) { return entry.second.expired(); });
  rows = std::make_shared<KeyRows>();
  all_[key] = rows;
  return rows;
}

}  // namespace berth::plugins
