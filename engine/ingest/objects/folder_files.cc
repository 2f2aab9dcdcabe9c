#include "engine/ingest/objects/folder_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/ingest/objects/report_all.h"

namespace berth::ingest {

bool is_folder(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_directory(path, none);
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code failed, none;
  std::filesystem::directory_iterator entry(folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::string ending = entry->path().extension();
    if ((ending == ".json" || ending == ".yaml" || ending == ".yml") &&
        entry->is_regular_file(none))
      paths.push_back(entry->path());
  }
  if (failed) throw Error(Place{.file = folder, .field = {}}, failed.message());
  std::ranges::sort(paths);
  if (paths.empty())
    throw Error(Place{.file = folder, .field = {}},
                "a folder without files *.json, *.yaml or *.yml; those of folders in it are not "
                "read");
  return paths;
}

std::vector<std::string> without_folders(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const std::vector<std::string> of = is_folder(path) ? files_in(path) : std::vector{path};
    files.insert(files.end(), of.begin(), of.end());
  }
  return files;
}

uint64_t objects_seen(const Objects& read) {
  uint64_t seen = read.size() + (read.rejected - read.no_objects);
  for (const auto& [kind, count] : read.remarks.unread_kinds) seen += count;
  return seen;
}

void FolderFaults::add(const Diagnostics& found, bool objects, Diagnostics& to) {
  if (objects) {
    report_all(found, to);
  } else if (found.count() != 0) {
    without_.push_back(found.kept().front().what());
  }
}

void FolderFaults::end(Diagnostics& to) const {
  if (without_.empty()) return;
  to.report(Error(Place{.file = folder_, .field = {}},
                  std::to_string(without_.size()) + " of its files hold" +
                      (without_.size() == 1 ? "s" : "") +
                      " no Kubernetes object: " + without_.front()));
}

}  // namespace berth::ingest
