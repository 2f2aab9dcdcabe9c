#include "engine/model/columns/gathered.h"

#include <bit>
#include <new>
#include <numeric>

#include "engine/model/columns/column.h"

namespace berth::model {
namespace {

template <typename T>
void gather(AlignedBytes& out, const void* data, std::span<const uint32_t> chosen) {
  auto* to = reinterpret_cast<T*>(out.extend(chosen.size() * sizeof(T)));
  const T* from = static_cast<const T*>(data);
  for (size_t i = 0; i < chosen.size(); ++i) to[i] = from[chosen[i]];
}

}  // namespace

void AlignedBytes::Free::operator()(std::byte* block) const {
  ::operator delete[](block, std::align_val_t{kAlignment});
}

void AlignedBytes::grow(size_t bytes) {
  size_t capacity = std::bit_ceil(bytes + kAlignment);
  std::unique_ptr<std::byte[], Free> grown(
      static_cast<std::byte*>(::operator new[](capacity, std::align_val_t{kAlignment})));
  if (size_ != 0) std::memcpy(grown.get(), data_.get(), size_);
  std::memset(grown.get() + size_, 0, capacity - size_);
  data_ = std::move(grown);
  capacity_ = capacity;
}

void Gathered::positions(const berth_column& from, std::span<const uint32_t> chosen) {
  if (list_) {
    size_t width = element_size(type_);
    const auto* data = static_cast<const std::byte*>(from.data);
    for (uint32_t i : chosen) {
      uint32_t size = from.sizes[i];
      starts_.push(elements_);
      sizes_.push(size);
      if (size != 0)
        std::memcpy(data_.extend(size * width), data + from.starts[i] * width, size * width);
      elements_ += size;
    }
  } else {
    switch (element_size(type_)) {
      case 1:
        gather<uint8_t>(data_, from.data, chosen);
        break;
      case 4:
        gather<uint32_t>(data_, from.data, chosen);
        break;
      default:
        gather<uint64_t>(data_, from.data, chosen);
    }
  }
  count_ += chosen.size();
}

void Gathered::all(const berth_column& from) {
  std::vector<uint32_t> every(from.count);
  std::iota(every.begin(), every.end(), 0u);
  positions(from, every);
}

void Gathered::zero() {
  if (list_) {
    starts_.push(elements_);
    sizes_.push(uint32_t{0});
  } else {
    std::memset(data_.extend(element_size(type_)), 0, element_size(type_));
  }
  ++count_;
}

berth_column Gathered::view() {
  data_.extend(0);  // an empty column has readable memory too
  berth_column column{};
  column.data = data_.data();
  if (list_) {
    starts_.extend(0);
    sizes_.extend(0);
    column.starts = reinterpret_cast<const uint32_t*>(starts_.data());
    column.sizes = reinterpret_cast<const uint32_t*>(sizes_.data());
  }
  column.count = count_;
  column.type = type_;
  return column;
}

}  // namespace berth::model
