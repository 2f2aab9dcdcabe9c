#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth {

// Bytes of memory that this process may use: the least of the machine's memory and the limits of
// its cgroup (v1 or v2) and of those above it. Nothing: it cannot be found out. `root`: the folder
// with proc and sys, for tests.
std::optional<uint64_t> usable_memory(const std::string& root = "/");

}  // namespace berth
