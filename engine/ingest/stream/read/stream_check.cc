#include "engine/ingest/stream/read/stream_check.h"

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/minireflect.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/assert.h"

namespace berth::ingest {
namespace {

using flatbuffers::TypeTable;

constexpr size_t kMaxDepth = 16;  // nesting of tables; the schemas need 9
constexpr size_t kNoIndex = SIZE_MAX;

struct Step {
  const char* field = nullptr;
  size_t index = kNoIndex;
};

// Methods that return bool return false after recording a fault.
class Walk {
 public:
  explicit Walk(std::span<const uint8_t> bytes)
      : bytes_(bytes), visits_(std::max(kMinVisits, kMaxVisitsPerByte * bytes.size())) {}

  bool root(const TypeTable* type) {
    size_t at = 0;
    return follow(0, at) && table(at, type);
  }

  StreamFault take_fault() { return std::move(fault_); }

 private:
  template <typename T>
  T load(size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return flatbuffers::EndianScalar(value);
  }

  bool inside(size_t at, size_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }

  bool fault(std::string message);
  bool visit(size_t bytes);
  bool follow(size_t at, size_t& target);
  bool table(size_t at, const TypeTable* type);
  bool fields(size_t at, size_t vtable, size_t vtable_size, size_t table_size,
              const TypeTable* type);
  bool field(size_t at, const TypeTable* type, size_t number);
  bool string(size_t at);
  bool vector(size_t at, flatbuffers::ElementaryType element, const TypeTable* type);

  std::span<const uint8_t> bytes_;
  uint64_t visits_;  // bytes that may still be visited
  std::array<Step, kMaxDepth> path_;
  size_t depth_ = 0;  // number of steps in path_
  StreamFault fault_;
};

bool Walk::fault(std::string message) {
  for (const Step& step : std::span(path_).first(depth_)) {
    if (!fault_.path.empty()) fault_.path += '.';
    fault_.path += step.field;
    if (step.index != kNoIndex) fault_.path += "[" + std::to_string(step.index) + "]";
  }
  fault_.message = std::move(message);
  return false;
}

bool Walk::visit(size_t bytes) {
  if (bytes > visits_) {
    return fault(
        "refers to the same bytes so often that reading the frame would mean reading more than " +
        std::to_string(kMaxVisitsPerByte) + " times its size");
  }
  visits_ -= bytes;
  return true;
}

// Sets `target` to the place that the offset at `at` refers to.
bool Walk::follow(size_t at, size_t& target) {
  if (!inside(at, sizeof(flatbuffers::uoffset_t))) return fault("lies outside of the frame");
  const auto offset = load<flatbuffers::uoffset_t>(at);
  target = at + offset;
  if (offset == 0 || !inside(target, sizeof(flatbuffers::uoffset_t))) {
    return fault("has an offset that leads out of the frame");
  }
  if (target % sizeof(flatbuffers::uoffset_t) != 0) return fault("is not aligned");
  return true;
}

bool Walk::table(size_t at, const TypeTable* type) {
  if (depth_ == kMaxDepth) return fault("lies too deep");
  // The offset to the vtable is signed and is subtracted.
  const int64_t vtable = static_cast<int64_t>(at) - load<flatbuffers::soffset_t>(at);
  const size_t start = static_cast<size_t>(vtable);
  if (vtable < 0 || vtable % 2 != 0 || !inside(start, 4)) {
    return fault("has its vtable outside of the frame");
  }
  const size_t vtable_size = load<flatbuffers::voffset_t>(start);
  const size_t table_size = load<flatbuffers::voffset_t>(start + 2);
  if (vtable_size < 4 || vtable_size % 2 != 0 || !inside(start, vtable_size) || table_size < 4 ||
      !inside(at, table_size)) {
    return fault("is a table that does not fit into the frame");
  }
  return visit(vtable_size + table_size) && fields(at, start, vtable_size, table_size, type);
}

bool Walk::fields(size_t at, size_t vtable, size_t vtable_size, size_t table_size,
                  const TypeTable* type) {
  for (size_t number = 0; 4 + 2 * number < vtable_size; ++number) {
    const size_t offset = load<flatbuffers::voffset_t>(vtable + 4 + 2 * number);
    if (offset == 0) continue;
    if (number >= type->num_elems) return fault("has a field that the format does not have");
    const auto code = type->type_codes[number];
    const auto base = static_cast<flatbuffers::ElementaryType>(code.base_type);
    const bool refers = code.is_repeating != 0 || base == flatbuffers::ET_STRING ||
                        (base == flatbuffers::ET_SEQUENCE);
    const size_t size =
        refers ? sizeof(flatbuffers::uoffset_t) : flatbuffers::InlineSize(base, nullptr);
    if (offset < 4 || offset + size > table_size) return fault("has a field outside of itself");
    if (!refers) continue;
    path_[depth_++] = {type->names[number], kNoIndex};
    if (!field(at + offset, type, number)) return false;
    --depth_;
  }
  return true;
}

// Checks a field that refers to a string, a table or a vector.
bool Walk::field(size_t at, const TypeTable* type, size_t number) {
  size_t target = 0;
  if (!follow(at, target)) return false;
  const auto code = type->type_codes[number];
  const auto base = static_cast<flatbuffers::ElementaryType>(code.base_type);
  const TypeTable* element = code.sequence_ref < 0 ? nullptr : type->type_refs[code.sequence_ref]();
  // Structs, unions and arrays are not supported here; the schemas have none.
  BERTH_ASSERT(base != flatbuffers::ET_SEQUENCE || element->st == flatbuffers::ST_TABLE);
  if (code.is_repeating != 0) return vector(target, base, element);
  if (base == flatbuffers::ET_STRING) return string(target);
  return table(target, element);
}

bool Walk::string(size_t at) {
  const size_t length = load<flatbuffers::uoffset_t>(at);
  if (!inside(at + 4, length) || !inside(at + 4 + length, 1)) {
    return fault("is a string that does not fit into the frame");
  }
  return visit(4 + length + 1);
}

bool Walk::vector(size_t at, flatbuffers::ElementaryType element, const TypeTable* type) {
  const size_t length = load<flatbuffers::uoffset_t>(at);
  const bool refers = element == flatbuffers::ET_STRING || element == flatbuffers::ET_SEQUENCE;
  const size_t size =
      refers ? sizeof(flatbuffers::uoffset_t) : flatbuffers::InlineSize(element, nullptr);
  if (size > 1 && length > kMaxVectorLength) {
    return fault("has " + std::to_string(length) + " elements, more than the " +
                 std::to_string(kMaxVectorLength) + " that a vector may have");
  }
  if (!inside(at + 4, length * size)) return fault("is a vector that does not fit into the frame");
  if (!visit(4 + length * size)) return false;
  for (size_t i = 0; refers && i < length; ++i) {
    path_[depth_ - 1].index = i;
    size_t target = 0;
    if (!follow(at + 4 + i * size, target)) return false;
    if (element == flatbuffers::ET_STRING ? !string(target) : !table(target, type)) return false;
  }
  path_[depth_ - 1].index = kNoIndex;
  return true;
}

}  // namespace

std::optional<StreamFault> check_payload(std::span<const uint8_t> payload, const TypeTable* root) {
  BERTH_ASSERT(reinterpret_cast<uintptr_t>(payload.data()) % 8 == 0);
  Walk walk(payload);
  if (!walk.root(root)) return walk.take_fault();
  return std::nullopt;
}

}  // namespace berth::ingest
