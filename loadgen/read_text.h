#pragma once

#include <cstddef>
#include <string>

namespace berth::loadgen {

// A whole file. Throws Error if it cannot be read or has more bytes than `most`.
std::string read_text(const std::string& path, size_t most);

}  // namespace berth::loadgen
