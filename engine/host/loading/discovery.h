#pragma once

// Which plugins are there? Looks through configured folders, reads identities, runs nothing.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/host/loading/elf_note.h"
#include "engine/host/loading/sealed_file.h"

namespace berth::host {

struct Found {
  SealedFile file;
  Identity identity;
};

// A file or a folder that cannot be used. One file may have several.
struct Problem {
  Error error;       // with the path as its place
  std::string name;  // of the plugin, if the note could be read; else empty
};

struct Discovery {
  std::vector<Found> plugins;     // sorted by name; names and ids are unique
  std::vector<Problem> problems;  // in the order of the search

  // Null if there is none of that name.
  const Found* find(std::string_view name) const;

  // Why there is none: the problems of files of that name, or of all if none has it; empty if there
  // is nothing to say.
  std::string why_not(std::string_view name) const;
};

// Examines all regular files and links named *.so in the folders (absolute paths, not recursive),
// in the order of the folders and, within each, of the names. A problem of one file does not hide
// other files. Of two plugins with the same name or id, neither is used. A file that needs another
// ABI is a problem.
Discovery discover(std::span<const std::filesystem::path> folders);

}  // namespace berth::host
