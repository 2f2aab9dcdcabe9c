#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace berth {

// How many bytes of memory this process may use: those of the machine, or the limit of its cgroup
// (v1 or v2) or of one above it if that is less. Nothing: it cannot be found out. `root`: the
// folder with proc and sys, for tests.
std::optional<uint64_t> usable_memory(const std::string& root = "/");

}  // namespace berth
