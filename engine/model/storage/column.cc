#include "engine/model/storage/column.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/storage/gathered.h"

namespace berth::model {
namespace {

constexpr size_t kPadding = 64;
// Compact when more than half of a list column is abandoned, but not below this number of elements.
constexpr size_t kLeastCompacted = 1024;

}  // namespace

size_t element_size(uint32_t type) {
  switch (type) {
    case BERTH_U8:
      return 1;
    case BERTH_U32:
    case BERTH_I32:
      return 4;
    case BERTH_I64:
    case BERTH_U64:
    case BERTH_F64:
      return 8;
  }
  BERTH_ASSERT(false && "unknown element type");
  return 0;
}

ArenaBuffer::~ArenaBuffer() {
  if (capacity_ != 0) arena_->release(data_, capacity_);
}

ArenaBuffer::ArenaBuffer(ArenaBuffer&& other) noexcept
    : arena_(other.arena_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

ArenaBuffer& ArenaBuffer::operator=(ArenaBuffer&& other) noexcept {
  std::swap(arena_, other.arena_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

void ArenaBuffer::resize(size_t bytes) {
  if (bytes + kPadding > capacity_) {
    size_t capacity = Arena::block_size(bytes + kPadding);
    auto* grown = static_cast<std::byte*>(arena_->allocate(capacity));
    if (size_ != 0) std::memcpy(grown, data_, size_);
    if (capacity_ != 0) arena_->release(data_, capacity_);
    data_ = grown;
    capacity_ = capacity;
  }
  size_t kept = std::min(size_, bytes);
  std::memset(data_ + kept, 0, bytes + kPadding - kept);
  size_ = bytes;
}

Column::Column(Arena& arena, uint32_t type, bool list)
    : type_(type),
      list_(list),
      width_(static_cast<uint32_t>(element_size(type))),
      data_(arena),
      starts_(arena),
      sizes_(arena) {
  resize(0);
}

void Column::resize(size_t count) {
  if (list_) {
    for (size_t i = count; i < count_; ++i) abandoned_ += capacities_[i];
    starts_.resize(count * sizeof(uint32_t));
    sizes_.resize(count * sizeof(uint32_t));
    capacities_.resize(count, 0);
    if (data_.data() == nullptr) data_.resize(0);
  } else {
    data_.resize(count * width_);
  }
  count_ = count;
}

void Column::permute(std::span<const uint32_t> order) {
  AlignedBytes moved;
  auto gather = [&](std::byte* values, size_t width) {
    moved.clear();
    for (uint32_t from : order) std::memcpy(moved.extend(width), values + from * width, width);
    if (moved.size() != 0) std::memcpy(values, moved.data(), moved.size());
  };
  BERTH_ASSERT(order.size() <= count_);
  if (list_) {
    std::vector<bool> kept(count_);
    for (uint32_t from : order) kept[from] = true;
    for (size_t i = 0; i < count_; ++i)
      if (!kept[i]) abandoned_ += capacities_[i];
    gather(starts_.data(), sizeof(uint32_t));
    gather(sizes_.data(), sizeof(uint32_t));
    std::vector<uint32_t> capacities(order.size());
    for (size_t i = 0; i < order.size(); ++i) capacities[i] = capacities_[order[i]];
    capacities_ = std::move(capacities);
    starts_.resize(order.size() * sizeof(uint32_t));
    sizes_.resize(order.size() * sizeof(uint32_t));
  } else {
    gather(data_.data(), width_);
    data_.resize(order.size() * width_);
  }
  count_ = order.size();
  touch();
}

void Column::write_list(size_t position, std::span<const std::byte> bytes, size_t elements) {
  BERTH_ASSERT(list_ && position < count_);
  auto* start = reinterpret_cast<uint32_t*>(starts_.data()) + position;
  auto* size = reinterpret_cast<uint32_t*>(sizes_.data()) + position;
  if (elements > capacities_[position]) {
    abandoned_ += capacities_[position];
    *size = 0;
    capacities_[position] = 0;
    if (abandoned_ > kLeastCompacted && abandoned_ * 2 > elements_) compact();
    // Reserve twice the size, because lists such as ports grow by single elements.
    size_t room = elements == 1 ? 1 : elements * 2;
    BERTH_ASSERT(elements_ + room <= UINT32_MAX);
    data_.resize((elements_ + room) * width_);
    *start = static_cast<uint32_t>(elements_);
    capacities_[position] = static_cast<uint32_t>(room);
    elements_ += room;
  }
  if (!bytes.empty())
    std::memcpy(data_.data() + *start * size_t{width_}, bytes.data(), bytes.size());
  *size = static_cast<uint32_t>(elements);
}

void Column::compact() {
  std::vector<std::byte> packed;
  auto* starts = reinterpret_cast<uint32_t*>(starts_.data());
  for (size_t i = 0; i < count_; ++i) {
    const std::byte* first = data_.data() + starts[i] * size_t{width_};
    starts[i] = static_cast<uint32_t>(packed.size() / width_);
    packed.insert(packed.end(), first, first + capacities_[i] * size_t{width_});
  }
  elements_ = packed.size() / width_;
  abandoned_ = 0;
  data_.resize(packed.size());
  if (!packed.empty()) std::memcpy(data_.data(), packed.data(), packed.size());
}

berth_column Column::view() const {
  berth_column column{};
  column.data = data_.data();
  column.starts = list_ ? starts() : nullptr;
  column.sizes = list_ ? sizes() : nullptr;
  column.count = count_;
  column.generation = generation_;
  column.type = type_;
  column.dictionary_size = dictionary_size_;
  return column;
}

}  // namespace berth::model
