#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/model/objects/objects.h"

namespace berth::model {

// The value of a label or an annotation; null if there is none with this key.
inline const std::string* value_in(const StringMap& map, std::string_view key) {
  const auto at = std::ranges::find(map, key, &StringMap::value_type::first);
  return at == map.end() ? nullptr : &at->second;
}

}  // namespace berth::model
