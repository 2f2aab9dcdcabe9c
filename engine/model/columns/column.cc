#include "engine/model/columns/column.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/columns/gathered.h"

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

// Bytes after size_ are zero. Pages that were never written get no memory from the system, so that
// a column of a rare attribute costs only what was written to it.
void ArenaBuffer::resize(size_t bytes) {
  if (bytes + kPadding > capacity_) {
    size_t capacity = Arena::block_size(bytes + kPadding);
    auto* grown = static_cast<std::byte*>(arena_->allocate(capacity));
    if (size_ != 0) std::memcpy(grown, data_, size_);
    if (capacity_ != 0) arena_->release(data_, capacity_);
    data_ = grown;
    capacity_ = capacity;
  } else if (bytes < size_) {
    std::memset(data_ + bytes, 0, size_ - bytes);
  }
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
  if (count != count_) ++generation_;
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

template <typename T>
T* Column::gather(const T* values, std::span<const uint32_t> order, AlignedBytes& scratch) {
  scratch.clear();
  T* moved = reinterpret_cast<T*>(scratch.extend(order.size() * sizeof(T)));
  for (size_t i = 0; i < order.size(); ++i) moved[i] = values[order[i]];
  return moved;
}

template <typename T>
void Column::permute_values(size_t first, std::span<const uint32_t> order, AlignedBytes& scratch) {
  T* to = values<T>() + first;
  const T* moved = gather(values<T>(), order, scratch);
  for (size_t begin = 0; begin < order.size();) {
    const size_t end = std::min(order.size(), ((first + begin) / kBlock + 1) * kBlock - first);
    const size_t bytes = (end - begin) * sizeof(T);
    if (std::memcmp(to + begin, moved + begin, bytes) != 0) {
      std::memcpy(to + begin, moved + begin, bytes);
      touch(first + begin);
    }
    begin = end;
  }
}

bool Column::same_list(size_t position, uint32_t start, uint32_t size) const {
  if (sizes()[position] != size) return false;
  if (size == 0) return true;
  const std::byte* data = data_.data();
  return std::memcmp(data + starts()[position] * size_t{width_}, data + start * size_t{width_},
                     size * size_t{width_}) == 0;
}

// The elements stay; where lists begin moves.
void Column::permute_lists(size_t first, std::span<const uint32_t> order, AlignedBytes& scratch) {
  std::vector<bool> kept(count_ - first);
  for (size_t i = 0; i < order.size(); ++i) {
    kept[order[i] - first] = true;
    if (!same_list(first + i, starts()[order[i]], sizes()[order[i]])) touch(first + i);
  }
  for (size_t i = first; i < count_; ++i)
    if (!kept[i - first]) abandoned_ += capacities_[i];
  auto move = [&](uint32_t* values) {
    const uint32_t* moved = gather(values, order, scratch);
    if (!order.empty()) std::memcpy(values + first, moved, order.size_bytes());
  };
  move(reinterpret_cast<uint32_t*>(starts_.data()));
  move(reinterpret_cast<uint32_t*>(sizes_.data()));
  move(capacities_.data());
  // The capacities of the removed lists were counted as abandoned above.
  std::fill(capacities_.begin() + static_cast<std::ptrdiff_t>(first + order.size()),
            capacities_.end(), 0);
}

void Column::permute(size_t first, std::span<const uint32_t> order, AlignedBytes& scratch) {
  BERTH_ASSERT(first + order.size() <= count_);
  if (list_) {
    permute_lists(first, order, scratch);
  } else if (width_ == 1) {
    permute_values<uint8_t>(first, order, scratch);
  } else if (width_ == 4) {
    permute_values<uint32_t>(first, order, scratch);
  } else {
    permute_values<uint64_t>(first, order, scratch);
  }
  resize(first + order.size());
}

// Blocks are marked by what the lists hold; where they begin differs always. A block is read up to
// the first list that differs.
void Column::shift_lists(const RowShift& shift, BlockBits& differ) {
  if (elements_ == abandoned_) return;  // all lists are empty
  const auto mark_moved = [&](Row to, Row from) {
    if (!marked(differ, to) && !same_list(to, starts()[from], sizes()[from])) mark(differ, to);
  };
  if (shift.comes) {
    for (Row row = shift.rows; row > shift.at; --row) mark_moved(row, row - 1);
  } else {
    abandoned_ += capacities_[shift.at];
    Row to = shift.at;
    for (const RowRun& run : shift.chain)
      for (Row i = 0, from = run.first; i < run.count; ++i, from += run.stride) {
        if (from != to) mark_moved(to, from);
        to = from;
      }
  }
  BlockBits moved;
  clear(moved, shift.rows);
  auto* list_starts = reinterpret_cast<uint32_t*>(starts_.data());
  auto* list_sizes = reinterpret_cast<uint32_t*>(sizes_.data());
  const Row left = shift.comes ? shift.at : shift.rows - 1;
  for (uint32_t* values : {list_starts, list_sizes, capacities_.data()}) {
    apply(shift, values, moved);
    values[left] = 0;  // what is there belongs to another position now
  }
}

void Column::renumber(const Renumbering& by, BlockBits& differ) {
  BERTH_ASSERT(by.before <= count_ && by.after <= by.most);
  resize(by.before);
  resize(by.most);
  clear(differ, by.most);
  for (const RowShift& shift : by.shifts) {
    if (list_) {
      shift_lists(shift, differ);
    } else if (width_ == 1) {
      apply(shift, values<uint8_t>(), differ);
    } else if (width_ == 4) {
      apply(shift, values<uint32_t>(), differ);
    } else {
      apply(shift, values<uint64_t>(), differ);
    }
  }
  resize(by.after);
  for_each_block(differ, [&](uint32_t block) {
    if (size_t{block} * kBlock < count_) touch(size_t{block} * kBlock);
  });
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

}  // namespace berth::model
