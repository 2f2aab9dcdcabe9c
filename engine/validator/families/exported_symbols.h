#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace berth::validator {

// The names of the symbols that an ELF64 shared object exports, in the order of its table. The file
// is not trusted. Throws Error if it has no table of dynamic symbols, or a malformed one.
std::vector<std::string> exported_symbols(std::span<const std::byte> file);

}  // namespace berth::validator
