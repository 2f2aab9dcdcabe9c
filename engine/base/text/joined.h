#pragma once

#include <functional>
#include <ranges>
#include <string>
#include <string_view>

namespace berth {

// "a, b" for {"a", "b"} and ", ", of what `text` gives for each part. Nothing stands between empty
// texts and the first other one.
template <std::ranges::range Parts, typename Text = std::identity>
std::string joined(const Parts& parts, std::string_view separator, Text text = {}) {
  std::string all;
  for (const auto& part : parts) {
    if (!all.empty()) all += separator;
    all += std::invoke(text, part);
  }
  return all;
}

}  // namespace berth
