#pragma once

// Shared by the sources of BindingBatch.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::binding {

template <typename Mask>
bool has(const Mask& mask, size_t i) {
  return (mask[i / 64] >> i % 64 & 1) != 0;
}
template <typename Mask>
void set(Mask& mask, size_t i) {
  mask[i / 64] |= uint64_t{1} << i % 64;
}
template <typename Mask>
void clear(Mask& mask, size_t i) {
  mask[i / 64] &= ~(uint64_t{1} << i % 64);
}
template <typename Mask>
bool none_of(const Mask& mask) {
  return std::all_of(mask.begin(), mask.end(), [](uint64_t word) { return word == 0; });
}

// The name that kube-scheduler gives the caller of a plugin that failed.
inline constexpr const char* kPreFlight = "PreBindPreFlight";
inline constexpr const char* kPreBindPlugin = "PreBind plugin";
inline constexpr const char* kBindPlugin = "Bind plugin";

inline std::string running(const char* what, std::string_view plugin) {
  return std::string("running ").append(what) + " \"" + std::string(plugin) + "\": ";
}

}  // namespace berth::binding
