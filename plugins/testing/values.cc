#include "plugins/testing/values.h"

namespace berth::plugins::testing {

void Values::append(const void* data, size_t elements) {
  const size_t bytes = (elements_ + elements) * element_size_;
  lines_.resize(bytes / sizeof(Line) + 2);
  if (elements != 0)
    std::memcpy(const_cast<std::byte*>(element(elements_)), data, elements * element_size_);
  elements_ += elements;
}

berth_column Values::column() const {
  berth_column column{};
  column.data = lines_.data();
  column.starts = list_ ? starts_.data() : nullptr;
  column.sizes = list_ ? sizes_.data() : nullptr;
  column.count = count_;
  column.type = type_;
  column.dictionary_size = dictionary_size_;
  return column;
}

Values Values::gathered(std::span<const size_t> positions) const {
  Values out(type_, element_size_, list_);
  out.dictionary_size_ = dictionary_size_;
  out.count_ = positions.size();
  if (!list_) {
    for (const size_t position : positions) out.append(element(position), 1);
    return out;
  }
  out.starts_.resize(positions.size());
  out.sizes_.resize(positions.size());
  for (size_t i = positions.size(); i-- > 0;) {
    out.starts_[i] = static_cast<uint32_t>(out.elements_);
    out.sizes_[i] = sizes_[positions[i]];
    out.append(element(starts_[positions[i]]), sizes_[positions[i]]);
  }
  return out;
}

}  // namespace berth::plugins::testing
