#pragma once

// Reads the identity of a plugin from its file, without running its code: the ELF note that the
// macro BERTH_PLUGIN_NOTE emits (berth/abi/plugin.h).
//
// The reader walks ELF header, section table, section names, the section .note.berth and the note
// in it. The file is not trusted: each offset and size is checked against the end of the file
// before it is used, in a form that cannot overflow; values are copied out, because they may be
// unaligned; exactly one section and one note must exist, so that two readers cannot disagree about
// the identity. The program headers are not used: the loader reads them later, from the same bytes
// (sealed_file.h).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::host {

struct Identity {
  uint16_t abi_major = 0;
  uint16_t abi_minor_needed = 0;
  uint16_t abi_minor_built = 0;
  std::string id;    // reverse DNS; not empty
  std::string name;  // the name in configurations and reasons; not empty
  std::vector<std::string>
      points;  // ids of extension points, each once; also ones that we do not know
  // Ids of columns and services that the plugin cannot do without; also ones that we do not know.
  std::vector<std::string> needs{};

  bool operator==(const Identity&) const = default;
};

// The identity of an ELF64 shared object for this machine. Throws Error without a place if the file
// is not an ELF file, is for another machine, is truncated, or has no note or a malformed one.
Identity read_identity(std::span<const std::byte> file);

// Parses the description of a note: versions and texts. The fourth number and lines behind the
// known ones are ignored. Throws Error like read_identity().
Identity parse_note(std::span<const std::byte> description);

// The rule that a text of an identity breaks; nothing if it is valid.
[[nodiscard]] std::optional<std::string> plugin_id_problem(std::string_view id);
[[nodiscard]] std::optional<std::string> plugin_name_problem(std::string_view name);

}  // namespace berth::host
