#pragma once

// The parts of arbitrary objects of RapidCheck. Generators are plain functions that draw from
// few types: each type of a generator is instantiated at the cost of a second of compile time.

#include <rapidcheck.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace berth::ingest::testing {

// Uniform in [low, high].
inline int number(int low, int high) { return *rc::gen::inRange(low, high + 1); }

inline bool flip() { return *rc::gen::arbitrary<bool>(); }

inline int64_t any_int64() { return *rc::gen::arbitrary<int64_t>(); }

inline int32_t any_int32() { return static_cast<int32_t>(any_int64()); }

// At most three.
template <typename Make>
auto few(Make make) {
  std::vector<decltype(make())> list(static_cast<size_t>(number(0, 3)));
  for (auto& entry : list) entry = make();
  return list;
}

template <typename Make>
auto maybe(Make make) {
  return flip() ? std::optional(make()) : std::nullopt;
}

}  // namespace berth::ingest::testing
