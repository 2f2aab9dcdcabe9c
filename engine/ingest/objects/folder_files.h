#pragma once

// Folders of files with Kubernetes objects, as `berth run FOLDER` takes them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

bool is_folder(const std::string& path);

// The folder's files *.json, *.yaml and *.yml, by name, not those of folders in it. Throws Error if
// there are none, or the folder cannot be read.
std::vector<std::string> files_in(const std::string& folder);

// The paths with the files of folders in the place of the folders. Throws as files_in().
std::vector<std::string> without_folders(const std::vector<std::string>& paths);

// All that was read, or was recognised and left out.
uint64_t objects_seen(const Objects& read);

// Gathers what is wrong with the files of a folder. A folder of manifests holds other files, too,
// such as values.yaml: those without an object are counted in one error.
class FolderFaults {
 public:
  explicit FolderFaults(std::string folder) : folder_(std::move(folder)) {}

  // `found`: what is wrong with one file. `objects`: whether it holds any.
  void add(const Diagnostics& found, bool objects, Diagnostics& to);
  // To be called after the last file.
  void end(Diagnostics& to) const;

 private:
  const std::string folder_;
  std::vector<std::string> without_;  // the first fault of each file without objects
};

}  // namespace berth::ingest
