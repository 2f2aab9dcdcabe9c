#pragma once

// The hash of a list of numbers, for tables whose keys are such lists.

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/draw.h"

namespace berth {

struct HashOfNumbers {
  size_t operator()(std::span<const uint64_t> numbers) const {
    uint64_t hash = numbers.size();
    for (const uint64_t number : numbers) hash = mix(hash ^ number);
    return hash;
  }
};

}  // namespace berth
