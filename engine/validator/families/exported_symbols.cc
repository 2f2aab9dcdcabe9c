#include "engine/validator/families/exported_symbols.h"

#include <elf.h>

#include <cstring>

#include "engine/base/error.h"

namespace berth::validator {
namespace {

[[noreturn]] void malformed() { throw Error("has no well-formed table of dynamic symbols"); }

// Part of the file, in a form that cannot overflow.
std::span<const std::byte> part(std::span<const std::byte> file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) malformed();
  return file.subspan(offset, size);
}

// Element `i` of a table of T. Copied, because it may be unaligned.
template <typename T>
T element(std::span<const std::byte> table, uint64_t i) {
  if (i >= table.size() / sizeof(T)) malformed();
  T made;
  std::memcpy(&made, table.data() + i * sizeof(T), sizeof made);
  return made;
}

std::string name_at(std::span<const std::byte> names, uint32_t offset) {
  if (offset >= names.size()) malformed();
  const auto* begin = reinterpret_cast<const char*>(names.data()) + offset;
  return std::string(begin, ::strnlen(begin, names.size() - offset));
}

bool is_exported(const Elf64_Sym& symbol) {
  const unsigned bind = ELF64_ST_BIND(symbol.st_info);
  const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && bind != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

}  // namespace

std::vector<std::string> exported_symbols(std::span<const std::byte> file) {
  const auto header = element<Elf64_Ehdr>(part(file, 0, sizeof(Elf64_Ehdr)), 0);
  if (header.e_shentsize != sizeof(Elf64_Shdr)) malformed();
  const auto sections = part(file, header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  for (uint16_t i = 0; i < header.e_shnum; ++i) {
    const auto section = element<Elf64_Shdr>(sections, i);
    if (section.sh_type != SHT_DYNSYM) continue;
    const auto texts = element<Elf64_Shdr>(sections, section.sh_link);
    const auto symbols = part(file, section.sh_offset, section.sh_size);
    const auto names = part(file, texts.sh_offset, texts.sh_size);
    std::vector<std::string> exported;
    for (uint64_t k = 0; k < symbols.size() / sizeof(Elf64_Sym); ++k) {
      const auto symbol = element<Elf64_Sym>(symbols, k);
      if (is_exported(symbol)) exported.push_back(name_at(names, symbol.st_name));
    }
    return exported;
  }
  malformed();
}

}  // namespace berth::validator
