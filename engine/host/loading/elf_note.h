#pragma once

// Reads who a plugin is from its file, without running any of its code: the ELF note that the
// header macro BERTH_PLUGIN_NOTE emits (berth/abi/plugin.h). The file is not trusted: everything is
// checked against its bounds.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::host {

struct Identity {
  uint16_t abi_major = 0;
  uint16_t abi_minor_needed = 0;
  uint16_t abi_minor_built = 0;
  std::string id;    // reverse DNS; never empty
  std::string name;  // as configurations and reasons call it; never empty
  std::vector<std::string>
      points;  // ids of extension points, each once; also ones that we do not know

  bool operator==(const Identity&) const = default;
};

// The identity of an ELF64 shared object of this machine. Throws Error without a place, that says
// why it is none: not an ELF file, of another machine, truncated, without the note, with a
// malformed one.
Identity read_identity(std::span<const std::byte> file);

// The same of the note's description alone: versions and texts.
Identity parse_note(std::span<const std::byte> description);

// The rules for texts of an identity. Why it breaks them; empty if it does not.
std::string plugin_id_problem(std::string_view id);
std::string plugin_name_problem(std::string_view name);

}  // namespace berth::host
