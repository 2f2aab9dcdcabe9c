#pragma once

// The texts that were seen so far, for rules that refuse a second one. Internal to this module.

#include <array>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstddef>
#include <string_view>

namespace berth::ingest {

// A few texts, the usual case, take no memory of the heap. The texts must outlive it.
class SeenTexts {
 public:
  // False: the text was seen before.
  bool add(std::string_view text) {
    for (size_t i = 0; i < count_; ++i)
      if (first_[i] == text) return false;
    if (count_ == first_.size()) return more_.insert(text).second;
    first_[count_++] = text;
    return true;
  }

 private:
  std::array<std::string_view, 16> first_;
  size_t count_ = 0;
  boost::unordered_flat_set<std::string_view> more_;
};

}  // namespace berth::ingest
