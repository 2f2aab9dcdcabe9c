#include "engine/document/document.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "engine/base/assert.h"
#include "engine/document/file_text.h"
#include "engine/document/parse.h"
#include "engine/document/path.h"
#include "engine/document/storage.h"

namespace berth::document {
namespace {

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  constexpr std::string_view kNames[] = {"null", "boolean", "number", "string", "array", "object"};
  return kNames[size_t(kind)];
}

bool Value::as_bool() const {
  BERTH_ASSERT(is(Kind::kBoolean));
  return cell_->truth != 0;
}

std::string_view Value::number_text() const {
  BERTH_ASSERT(is(Kind::kNumber));
  return cell_->view();
}

std::optional<int64_t> Value::as_int64() const {
  if (!is(Kind::kNumber)) return std::nullopt;
  return whole_number<int64_t>(cell_->view());
}

std::optional<double> Value::as_double() const {
  if (!is(Kind::kNumber)) return std::nullopt;
  return whole_number<double>(cell_->view());
}

bool Value::cut_short() const {
  if (!present() || storage_->cut_roots.empty()) return false;
  const auto cell = static_cast<size_t>(cell_ - storage_->cells.data());
  return std::ranges::binary_search(storage_->cut_roots, cell);
}

size_t Value::size() const { return is(Kind::kArray) || is(Kind::kObject) ? cell_->size() : 0; }

Value Value::find(std::string_view key) const {
  Value found;
  if (!is(Kind::kObject)) return found;
  const internal::Cell* end = cell_->next();
  for (const internal::Cell* at = cell_ + 1; at != end; at = (at + 1)->next()) {
    if (at->view() == key) found = Value(storage_, at + 1);
  }
  return found;
}

Place Value::place() const { return present() ? storage_->place(cell_->offset) : Place(); }

Position Value::position() const {
  return present() ? storage_->position(cell_->offset) : Position();
}

const std::string& Value::file() const {
  static const std::string none;
  return present() ? storage_->file : none;
}

std::string Value::path() const {
  return present() ? internal::path_to(*storage_, cell_) : std::string();
}

Document Document::parse(std::string_view text, std::string file, Diagnostics& diagnostics,
                         const Limits& limits) {
  BERTH_ASSERT(limits.bytes <= Limits::kMaxBytes);
  if (text.size() <= limits.bytes) {
    return Document(internal::FileText::copy(text), std::move(file), diagnostics, limits);
  }
  Place place;
  place.file = std::move(file);
  diagnostics.report(Error(std::move(place), internal::too_large(limits.bytes)));
  return {};
}

Document Document::read(const std::string& path, Diagnostics& diagnostics, const Limits& limits) {
  BERTH_ASSERT(limits.bytes <= Limits::kMaxBytes);
  return Document(internal::FileText::read(path, limits.bytes), path, diagnostics, limits);
}

Document::Document(internal::FileText text, std::string file, Diagnostics& diagnostics,
                   const Limits& limits) {
  auto storage = std::make_shared<internal::Storage>(std::move(text), std::move(file));
  internal::parse_file(*storage, diagnostics, limits);
  storage_ = std::move(storage);
}

std::span<const Value> Document::roots() const {
  if (storage_ == nullptr) return {};
  return storage_->roots;
}

bool Document::repeats_keys() const { return storage_ != nullptr && storage_->repeats_keys; }

}  // namespace berth::document
