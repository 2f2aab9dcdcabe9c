#include "loadgen/import/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/text/typed_number.h"

namespace berth::loadgen {
namespace {

constexpr size_t kMostColumns = 1000;

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (fields.size() < kMostColumns) {
    const size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == line.npos) break;
    line.remove_prefix(comma + 1);
  }
  return fields;
}

}  // namespace

CsvReader::CsvReader(std::string_view text, std::string file,
                     const std::vector<std::string>& required, Diagnostics& diagnostics)
    : rest_(text), file_(std::move(file)), diagnostics_(diagnostics) {
  row_ = take_line();
  for (const std::string_view name : split(row_)) columns_.emplace_back(name);
  for (const std::string& name : required) {
    const auto count = std::ranges::count(columns_, name);
    if (count == 1) continue;
    throw Error(Place{.file = file_, .line = 1, .column = 1, .field = name},
                fmt::format("the first line must name the column {} once, with {}", name,
                            fmt::join(required, ",")));
  }
}

std::string_view CsvReader::take_line() {
  ++line_;
  const size_t end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

size_t CsvReader::index_of(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  return found == columns_.end() ? kNone : static_cast<size_t>(found - columns_.begin());
}

bool CsvReader::next() {
  while (!rest_.empty()) {
    row_ = take_line();
    if (row_.empty()) continue;
    ok_ = true;
    fields_ = split(row_);
    if (fields_.size() == columns_.size()) return true;
    // Points to the first surplus field, or to the last existing one.
    Place where = place(std::min(fields_.size() - 1, columns_.size()));
    where.field.clear();
    diagnostics_.report(Error(std::move(where), fmt::format("expected {} fields, found {}",
                                                            columns_.size(), fields_.size())));
  }
  return false;
}

Place CsvReader::place(size_t field) const {
  Place place;
  place.file = file_;
  place.line = line_;
  place.column = static_cast<uint32_t>(fields_[field].data() - row_.data()) + 1;
  if (field < columns_.size()) place.field = columns_[field];
  return place;
}

std::string_view CsvReader::text(std::string_view column) const {
  const size_t index = index_of(column);
  return index == kNone ? std::string_view() : fields_[index];
}

void CsvReader::report(std::string_view column, std::string message) {
  ok_ = false;
  diagnostics_.report(Error(place(index_of(column)), std::move(message)));
}

int64_t CsvReader::number(std::string_view column, int64_t low, int64_t high) {
  const std::string_view field = text(column);
  std::optional<std::string> problem =
      whole_number_problem(field, static_cast<uint64_t>(low), static_cast<uint64_t>(high));
  if (!problem) return std::stoll(std::string(field));
  report(column, std::move(*problem));
  return low;
}

}  // namespace berth::loadgen
