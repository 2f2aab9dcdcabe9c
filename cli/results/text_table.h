#pragma once

// Texts by number, each kept once. Numbers follow the order of the first use; 0 is the empty text.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace berth::cli {

class TextTable {
 public:
  using Id = uint32_t;

  Id id(std::string_view text) {
    if (text.empty()) return 0;
    if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
    const auto fresh = static_cast<Id>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), fresh);  // a deque's elements do not move
    return fresh;
  }
  const std::string& operator[](Id id) const { return texts_[id]; }

 private:
  std::deque<std::string> texts_{{}};
  boost::unordered_flat_map<std::string_view, Id> ids_;
};

}  // namespace berth::cli
