#pragma once

// Finds plugins: searches the configured folders and reads the identity of each file. Runs no code
// of a plugin.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/host/loading/elf_note.h"
#include "engine/host/loading/sealed_file.h"

namespace berth::host {

// A usable plugin file.
struct Found {
  SealedFile file;  // a sealed copy: the bytes that `identity` was read from
  Identity identity;
};

// A file or a folder that cannot be used. One file may have several problems.
struct Problem {
  Error error;       // with the path as its place
  std::string name;  // of the plugin, if the file's note can be read; else empty
  // The file or folder. The name of a file without a readable note suggests which plugin it is.
  std::filesystem::path path;
  bool is_folder = false;  // none of its files was looked at, or none is safe to use
};

struct Discovery {
  std::vector<Found> plugins;     // sorted by name; names and ids are unique
  std::vector<Problem> problems;  // in the order of the search

  std::vector<std::string> names() const;  // of the plugins
  // Null if there is no usable plugin of that name.
  const Found* find(std::string_view name) const;

  // The problems that may be the reason why find(name) is null, in order: those of files whose note
  // has this name, those of files without a readable note that are called like the plugin
  // ("my_filter.so" or "MyFilter.so" for MyFilter), and those of whole folders. Empty: no file of
  // this plugin was found.
  std::vector<const Problem*> problems_of(std::string_view name) const;
};

// Examines all regular files and links named *.so in the folders (absolute paths, not recursive),
// in the order of the folders and, within each, of the names. A problem of one file does not hide
// other files. Of two plugins with the same name or id, neither is used. A file that needs another
// ABI is a problem.
//
// `named`: the number of folders at the front that the user named for this run. A plugin there wins
// over one of the same name and id in another folder, such as an installed copy of the plugin that
// its author is working on; but none wins over a plugin that comes with Berth (its id begins with
// "io.berth.").
//
// `of_user`: one of the folders, where another installation may have its plugins. One that comes
// with Berth is left out there if another folder has it.
Discovery discover(std::span<const std::filesystem::path> folders,
                   const std::filesystem::path& of_user = {}, size_t named = 0);

}  // namespace berth::host
