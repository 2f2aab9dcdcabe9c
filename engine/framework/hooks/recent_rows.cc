#include "engine/framework/hooks/recent_rows.h"

#include <algorithm>
#include <cstring>

#include "engine/base/assert.h"

namespace berth::framework {
namespace {

template <typename T>
void copy_values(const std::byte* from, const std::vector<model::Row>& rows, size_t begin,
                 size_t end, std::byte* to) {
  const auto* values = reinterpret_cast<const T*>(from);
  for (size_t place = begin; place < end; ++place)
    std::memcpy(to + place * sizeof(T), values + rows[place], sizeof(T));
}

}  // namespace

void RecentRows::make_room(Copy& copy) const {
  copy.values.clear();
  copy.values.extend(capacity_ * copy.column->width());
}

void RecentRows::add_change(const model::ChangeLog::Entry& entry, uint64_t position) {
  // As many as a thousand kinds of pods that count others need in some turns.
  constexpr size_t kMost = 1 << 15;
  if (changes_.capacity() == 0) changes_.reserve(kMost);
  if (changes_.size() == kMost) {
    constexpr size_t kGone = kMost / 2;
    known_from_ = std::max(known_from_, changes_[kGone - 1].position + 1);
    changes_.erase(changes_.begin(), changes_.begin() + kGone);
    first_change_ += kGone;
  }
  if (entry.domain >= latest_of_.size()) latest_of_.resize(entry.domain + size_t{1});
  uint64_t& latest = latest_of_[entry.domain];
  changes_.push_back({entry.domain, entry.row, position, latest});
  latest = first_change_ + changes_.size() - 1;
  if (entry.row == model::kEveryRow) of_every_row_ = position + 1;
}

std::span<const RecentRows::ColumnChange> RecentRows::columns_since(uint64_t position) const {
  BERTH_ASSERT(position >= known_from_);
  const auto first = std::ranges::lower_bound(changes_, position, {}, &ColumnChange::position);
  return {first, changes_.end()};
}

// Forgets all rows.
void RecentRows::restart(uint64_t position) {
  first_change_ += changes_.size();
  changes_.clear();
  first_ += rows_.size();
  rows_.clear();
  inputs_.clear();
  read_.clear();
  before_.clear();
  known_from_ = position;
  // Half of it is as many places as a reader asks about.
  constexpr size_t kFewest = 2048, kMost = 1 << 16;
  const size_t capacity = std::clamp(2 * latest_.size(), kFewest, kMost);
  if (capacity == capacity_) return;
  capacity_ = capacity;
  rows_.reserve(capacity);  // so that decisions do not allocate
  inputs_.reserve(capacity);
  read_.reserve(capacity);
  before_.reserve(capacity);
  for (Copy& one : copies_) make_room(one);
}

void RecentRows::follow(const model::NodeTable& nodes, const model::ChangeLog& log) {
  if (read_to_ == log.end()) return;
  if (latest_.size() < nodes.rows()) latest_.resize(nodes.rows() + nodes.rows() / 8);
  if (!log.holds(read_to_) || capacity_ == 0) {
    read_to_ = log.end();
    return restart(read_to_);
  }
  make_room();
  size_t begin = rows_.size();
  for (; read_to_ != log.end(); ++read_to_) {
    const model::ChangeLog::Entry& entry = log.at(read_to_);
    if (entry.table != model::Table::kNodes || (entry.changes & ~model::change::kOfNoColumn) == 0)
      continue;
    const bool of_column = entry.domain != 0 && entry.changes != model::change::kAll;
    const bool unlisted = entry.row == model::kEveryRow && !of_column;
    if (of_column) {
      add_change(entry, read_to_);
    } else if (unlisted || rows_.size() == capacity_) {
      restart(read_to_ + 1);
      begin = 0;
    } else {
      add(entry.row, entry.changes, begin);
    }
  }
  while (read_.size() < rows_.size()) read_.push_back(read_to_);
  for (Copy& one : copies_) copy(one, rows_, begin, rows_.size());
}

// `begin`: of the places that are added by this reading of the log.
void RecentRows::add(model::Row row, model::Changes inputs, size_t begin) {
  if (row >= latest_.size()) latest_.resize(row + size_t{1});  // before rows are renumbered
  const uint64_t known = latest_[row];
  if (known >= first_ + begin) {
    inputs_[known - first_] |= inputs;
    return;
  }
  latest_[row] = first_ + rows_.size();
  before_.push_back(known);
  rows_.push_back(row);
  inputs_.push_back(inputs);
}

// Forgets the older half of the places if few are left.
void RecentRows::make_room() {
  const size_t half = capacity_ / 2;
  if (rows_.size() < capacity_ - half / 2) return;
  const size_t gone = rows_.size() - half;
  known_from_ = std::max(known_from_, read_[gone - 1]);
  const auto drop = [&](auto& by_place) {
    by_place.erase(by_place.begin(), by_place.begin() + static_cast<ptrdiff_t>(gone));
  };
  drop(rows_);
  drop(inputs_);
  drop(read_);
  drop(before_);
  for (Copy& one : copies_) {
    const size_t width = one.column->width();
    std::memmove(one.values.data(), one.values.data() + gone * width, half * width);
  }
  first_ += gone;
}

bool RecentRows::since(uint64_t position, Range& range) const {
  if (position < known_from_) return false;
  range.end = rows_.size();
  // Mostly the last place, or none.
  size_t begin = range.end;
  while (begin != 0 && range.end - begin < 2 && read_[begin - 1] > position) --begin;
  if (range.end - begin == 2)
    begin = static_cast<size_t>(std::ranges::upper_bound(read_, position) - read_.begin());
  range.begin = begin;
  return true;
}

RecentRows::Summary RecentRows::summary(const Range& range) const {
  if (range.size() != 1) return summary_of_many(range);
  // Most often, one node has one more pod.
  const model::Changes inputs = inputs_[range.begin];
  return {inputs, inputs, inputs == model::change::kAll, 0};
}

void RecentRows::copy(Copy& copy, const std::vector<model::Row>& rows, size_t begin, size_t end) {
  const std::byte* from = copy.column->bytes();
  switch (copy.column->width()) {
    case 1:
      return copy_values<uint8_t>(from, rows, begin, end, copy.values.data());
    case sizeof(uint32_t):
      return copy_values<uint32_t>(from, rows, begin, end, copy.values.data());
    default:
      return copy_values<uint64_t>(from, rows, begin, end, copy.values.data());
  }
}

const std::byte* RecentRows::values(const model::Column& column) {
  const auto known = std::ranges::find(copies_, &column, &Copy::column);
  if (known != copies_.end()) return known->values.data();
  if (column.list() || copies_.size() == kMostCopies) return nullptr;
  Copy& made = copies_.emplace_back();
  made.column = &column;
  make_room(made);
  copy(made, rows_, 0, rows_.size());
  return made.values.data();
}

}  // namespace berth::framework
