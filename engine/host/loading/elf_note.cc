#include "engine/host/loading/elf_note.h"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "berth/abi/plugin.h"
#include "engine/base/error.h"
#include "engine/base/text/characters.h"

namespace berth::host {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kSection = ".note.berth";
constexpr std::string_view kOwner = BERTH_NOTE_NAME;
constexpr size_t kMostDescription = 16 * 1024;
constexpr size_t kLongestText = 255;
constexpr size_t kMostPoints = 64;
constexpr size_t kMostNeeds = 256;

static_assert(std::endian::native == std::endian::little);
#if defined(__x86_64__)
constexpr uint16_t kMachine = EM_X86_64;
constexpr std::string_view kMachineName = "x86-64";
#elif defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
constexpr std::string_view kMachineName = "AArch64";
#else
#error "unknown machine: add its ELF machine number"
#endif

[[noreturn]] void fail(std::string text) { throw Error(std::move(text)); }

// A part of a file; nothing if the file is too short.
std::optional<Bytes> part(Bytes file, uint64_t offset, uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return std::nullopt;
  return file.subspan(offset, size);
}

// Copies a value out, because it may be unaligned.
template <typename T>
std::optional<T> read(Bytes file, uint64_t offset) {
  const auto bytes = part(file, offset, sizeof(T));
  if (!bytes) return std::nullopt;
  T value;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Elf64_Ehdr read_header(Bytes file) {
  const auto magic = part(file, 0, SELFMAG);
  if (!magic || text_of(*magic) != ELFMAG) {
    fail("not a shared object: it does not begin with an ELF header");
  }
  const auto header = read<Elf64_Ehdr>(file, 0);
  if (!header) fail("truncated: the file ends within its ELF header");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_machine != kMachine) {
    fail("built for another machine: this Berth needs 64-bit little-endian " +
         std::string(kMachineName));
  }
  if (header->e_type != ET_DYN) fail("an ELF file, but not a shared object");
  return *header;
}

// Entry `index` of the section table; nothing if it is beyond the end of the file.
std::optional<Elf64_Shdr> section(Bytes file, const Elf64_Ehdr& header, uint64_t index) {
  // Both factors are below 2^32, so only the sum can overflow.
  const uint64_t offset = index * header.e_shentsize;
  if (header.e_shoff > UINT64_MAX - offset) return std::nullopt;
  return read<Elf64_Shdr>(file, header.e_shoff + offset);
}

struct SectionTable {
  uint64_t count;
  Bytes names;
};

SectionTable section_table(Bytes file, const Elf64_Ehdr& header) {
  if (header.e_shoff == 0 || header.e_shentsize != sizeof(Elf64_Shdr)) {
    fail("it has no section table, and so no section .note.berth with its identity");
  }
  // Section 0 holds numbers that do not fit into the header's 16 bits.
  const auto first = section(file, header, 0);
  if (!first) fail("truncated: its section table is beyond the end of the file");
  const uint64_t count = header.e_shnum != 0 ? header.e_shnum : first->sh_size;
  const uint64_t index = header.e_shstrndx != SHN_XINDEX ? header.e_shstrndx : first->sh_link;
  if (count > file.size() / sizeof(Elf64_Shdr) || !section(file, header, count - 1)) {
    fail("truncated: its section table is beyond the end of the file");
  }
  if (index >= count) fail("malformed: it has no section with the names of its sections");
  const auto names = section(file, header, index);
  const auto text = part(file, names->sh_offset, names->sh_size);
  if (!text) fail("truncated: the names of its sections are beyond the end of the file");
  return {count, *text};
}

bool has_name(Bytes names, uint64_t offset, std::string_view wanted) {
  const auto text = part(names, offset, wanted.size() + 1);
  return text && text_of(*text).substr(0, wanted.size()) == wanted &&
         std::to_integer<int>(text->back()) == 0;
}

// The contents of the only .note.berth section.
Bytes note_section(Bytes file) {
  const Elf64_Ehdr header = read_header(file);
  const SectionTable table = section_table(file, header);
  std::optional<Bytes> found;
  for (uint64_t i = 1; i < table.count; ++i) {
    const auto entry = section(file, header, i);
    if (!has_name(table.names, entry->sh_name, kSection)) continue;
    if (found) fail("malformed: it has two sections .note.berth");
    if (entry->sh_type == SHT_NOBITS) fail("malformed: its section .note.berth holds no bytes");
    found = part(file, entry->sh_offset, entry->sh_size);
    if (!found) fail("truncated: its section .note.berth is beyond the end of the file");
  }
  if (!found) {
    fail("not a Berth plugin: it has no section .note.berth (BERTH_PLUGIN_NOTE makes one)");
  }
  return *found;
}

uint64_t padded(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

// The description of the only note in the section.
Bytes note_description(Bytes notes) {
  const auto header = read<Elf64_Nhdr>(notes, 0);
  if (!header) fail("malformed note: .note.berth is too short for one");
  const auto owner = part(notes, sizeof *header, header->n_namesz);
  if (!owner || header->n_namesz != kOwner.size() + 1 ||
      text_of(*owner) != std::string_view(BERTH_NOTE_NAME, kOwner.size() + 1)) {
    fail("malformed note: its owner is not \"" + std::string(kOwner) + "\"");
  }
  if (header->n_type != BERTH_NOTE_TYPE) {
    fail("malformed note: its type is " + std::to_string(header->n_type) + " instead of " +
         std::to_string(BERTH_NOTE_TYPE));
  }
  const uint64_t offset = sizeof *header + padded(header->n_namesz);
  const auto description = part(notes, offset, header->n_descsz);
  if (!description) fail("malformed note: its description does not fit into .note.berth");
  // The compiler may pad the section with zeros. Anything else, such as a second note, is an error.
  for (const std::byte rest : notes.subspan(offset + header->n_descsz)) {
    if (rest != std::byte{0}) fail("malformed note: .note.berth holds more than one note");
  }
  return *description;
}

bool is_word(std::string_view text, std::string_view also) {
  return !text.empty() && text.size() <= kLongestText &&
         std::all_of(text.begin(), text.end(), [also](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  also.find(c) != std::string_view::npos;
         });
}

// "berth.filter/0": words separated by dots, and a revision.
bool is_point_id(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !is_word(text.substr(0, slash), "._-")) return false;
  const std::string_view revision = text.substr(slash + 1);
  return revision.size() <= 5 && is_number(revision);
}

std::string take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) fail("malformed note: it needs an id, a name and points");
  std::string line(text.substr(0, end));
  text.remove_prefix(end + 1);
  return line;
}

std::vector<std::string> split_points(std::string_view line) {
  std::vector<std::string> points;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    const std::string point(line.substr(0, end));
    if (!is_point_id(point)) {
      fail(
          "malformed note: its extension points are not ids with a revision, separated by one "
          "space");
    }
    if (std::find(points.begin(), points.end(), point) != points.end()) {
      fail("malformed note: it names the extension point " + point + " twice");
    }
    if (points.size() == kMostPoints) fail("malformed note: it has too many extension points");
    points.push_back(point);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  if (points.empty()) fail("malformed note: it names no extension point");
  return points;
}

// Ids of columns have more characters than those of points: "node.label:example.com/rack".
std::vector<std::string> split_needs(std::string_view line) {
  std::vector<std::string> needs;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    if (!is_word(line.substr(0, end), "._-/:*")) {
      fail(
          "malformed note: what it needs are not ids of columns and services, separated by one "
          "space");
    }
    if (needs.size() == kMostNeeds) fail("malformed note: it needs too many columns and services");
    needs.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return needs;
}

}  // namespace

std::optional<std::string> plugin_id_problem(std::string_view id) {
  const bool empty_part = id.starts_with('.') || id.ends_with('.') || id.find("..") != id.npos;
  if (!is_word(id, ".-_") || empty_part || id.find('.') == id.npos) {
    return "its id is not in reverse DNS form (io.example.rack)";
  }
  return std::nullopt;
}

std::optional<std::string> plugin_name_problem(std::string_view name) {
  if (is_word(name, ".-_")) return std::nullopt;
  return "its name is not made of 1 to 255 letters, digits, '.', '-' and '_'";
}

Identity parse_note(std::span<const std::byte> description) {
  Identity identity;
  const auto versions = read<std::array<uint16_t, 4>>(description, 0);
  if (!versions || description.size() > kMostDescription) {
    fail("malformed note: its description has " + std::to_string(description.size()) + " bytes");
  }
  identity.abi_major = (*versions)[0];
  identity.abi_minor_needed = (*versions)[1];
  identity.abi_minor_built = (*versions)[2];
  std::string_view text = text_of(description.subspan(sizeof *versions));
  identity.id = take_line(text);
  identity.name = take_line(text);
  identity.points = split_points(take_line(text));
  if (text.find('\n') != text.npos) identity.needs = split_needs(take_line(text));
  std::optional<std::string> problem = plugin_id_problem(identity.id);
  if (!problem) problem = plugin_name_problem(identity.name);
  if (problem) fail("malformed note: " + *problem);
  return identity;
}

Identity read_identity(std::span<const std::byte> file) {
  return parse_note(note_description(note_section(file)));
}

}  // namespace berth::host
