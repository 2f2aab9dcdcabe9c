#include "engine/host/loading/discovery.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "engine/base/text/characters.h"
#include "engine/host/instance/text.h"
#include "engine/host/loading/library.h"
#include "engine/host/loading/trusted_path.h"

namespace berth::host {
namespace {

namespace fs = std::filesystem;

// The plugin's name in the note of a file that may not be loaded, such as one that others may write
// to; empty if the note cannot be read. The name serves messages only.
std::string name_in_note(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  const uintmax_t size = fs::file_size(path, error);
  if (error || size > SealedFile::kMostBytes) return {};
  std::vector<char> bytes(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return {};
  try {
    return read_identity(std::as_bytes(std::span(bytes))).name;
  } catch (const Error&) {
    return {};
  }
}

// The letters of a name in lower case, so that "MyFilter", "my_filter" and "my-filter" are equal.
std::string letters(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (c != '_' && c != '-') letters += lower(c);
  return letters;
}

class Search {
 public:
  Search(const fs::path& of_user, std::span<const fs::path> named)
      : of_user_(of_user), named_(named) {}

  void folder(const fs::path& folder) {
    if (!folder.is_absolute()) {
      return folder_problem(folder, "the path of a plugin folder must be absolute");
    }
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() == ".so") files.push_back(entry->path());
    }
    if (error == std::errc::not_a_directory)
      return folder_problem(folder, "is no folder: name the folder that holds the plugins");
    if (error) return folder_problem(folder, "cannot read the plugin folder: " + error.message());
    // Reported once, not for each file in the folder.
    if (const auto unsafe = plugin_folder_problem(folder)) return folder_problem(folder, *unsafe);
    std::sort(files.begin(), files.end());
    for (const fs::path& path : files) file(path);
  }

  Discovery finish() {
    leave_out_other_installation();
    leave_out_overruled();
    refuse_doubles("name",
                   [](const Found& found) -> const std::string& { return found.identity.name; });
    refuse_doubles("id",
                   [](const Found& found) -> const std::string& { return found.identity.id; });
    std::vector<Found> kept;
    for (size_t i = 0; i < found_.size(); ++i) {
      if (!refused_.contains(i)) kept.push_back(std::move(found_[i]));
    }
    std::sort(kept.begin(), kept.end(),
              [](const Found& a, const Found& b) { return a.identity.name < b.identity.name; });
    return {std::move(kept), std::move(problems_)};
  }

 private:
  void problem(const fs::path& path, std::string text, std::string name = {}) {
    problems_.push_back({Error(place_of(path), std::move(text)), std::move(name), path});
  }

  void folder_problem(const fs::path& path, std::string text) {
    problem(path, std::move(text));
    problems_.back().is_folder = true;
  }

  void file(const fs::path& path) {
    // The same folder may be configured twice, or a link may lead to a plugin beside it.
    std::error_code error;
    if (!seen_.insert(fs::canonical(path, error)).second && !error) return;
    try {
      SealedFile sealed(path);
      Identity identity;
      try {
        identity = read_identity(sealed.bytes());
      } catch (const Error& failure) {
        return problem(path, failure.message());
      }
      const std::vector<std::string> problems = identity_problems(identity);
      if (!problems.empty()) {
        return problem(path, "plugin " + in_quotes(identity.name) + " " + joined(problems, "; "),
                       identity.name);
      }
      found_.push_back({std::move(sealed), std::move(identity)});
    } catch (const Error& failure) {
      problems_.push_back({failure, name_in_note(path), path});
    }
  }

  bool is_of_user(const Found& found) const { return found.file.path().parent_path() == of_user_; }
  bool is_named(const Found& found) const {
    return std::ranges::find(named_, found.file.path().parent_path()) != named_.end();
  }
  static bool comes_with_berth(const Found& found) {
    return found.identity.id.starts_with("io.berth.");
  }

  void leave_out_other_installation() {
    std::set<std::string> ours;
    for (const Found& found : found_)
      if (!is_of_user(found) && comes_with_berth(found)) ours.insert(found.identity.id);
    std::erase_if(found_, [&](const Found& found) {
      return is_of_user(found) && ours.contains(found.identity.id);
    });
  }

  // The plugins of other folders that are also in one that was named for this run.
  void leave_out_overruled() {
    std::set<std::pair<std::string, std::string>> named;
    for (const Found& found : found_)
      if (is_named(found) && !comes_with_berth(found))
        named.emplace(found.identity.name, found.identity.id);
    std::erase_if(found_, [&](const Found& found) {
      return !is_named(found) && named.contains({found.identity.name, found.identity.id});
    });
  }

  // Refuses all plugins that share a key: the configuration does not say which one it means.
  template <typename Key>
  void refuse_doubles(std::string_view what, Key key) {
    for (size_t i = 0; i < found_.size(); ++i) {
      std::string others;
      for (size_t j = 0; j < found_.size(); ++j) {
        if (i == j || key(found_[i]) != key(found_[j])) continue;
        others += (others.empty() ? "" : ", ") + found_[j].file.path().string();
      }
      if (others.empty()) continue;
      refused_.insert(i);
      problem(found_[i].file.path(),
              "its " + std::string(what) + " " + in_quotes(key(found_[i])) + " is also that of " +
                  others + "; remove all but one",
              found_[i].identity.name);
    }
  }

  const fs::path& of_user_;
  const std::span<const fs::path> named_;
  std::vector<Found> found_;
  std::vector<Problem> problems_;
  std::set<fs::path> seen_;
  std::set<size_t> refused_;
};

}  // namespace

const Found* Discovery::find(std::string_view name) const {
  const auto found = std::lower_bound(
      plugins.begin(), plugins.end(), name,
      [](const Found& plugin, std::string_view wanted) { return plugin.identity.name < wanted; });
  return found != plugins.end() && found->identity.name == name ? &*found : nullptr;
}

std::vector<std::string> Discovery::names() const {
  std::vector<std::string> all;
  for (const Found& plugin : plugins) all.push_back(plugin.identity.name);
  return all;
}

std::vector<const Problem*> Discovery::problems_of(std::string_view name) const {
  std::vector<const Problem*> found;
  for (const Problem& problem : problems) {
    const bool called_so =
        problem.name.empty() && letters(problem.path.stem().string()) == letters(name);
    if (problem.is_folder || problem.name == name || called_so) found.push_back(&problem);
  }
  return found;
}

Discovery discover(std::span<const std::filesystem::path> folders,
                   const std::filesystem::path& of_user, size_t named) {
  Search search(of_user, folders.first(named));
  for (const fs::path& folder : folders) search.folder(folder);
  return search.finish();
}

}  // namespace berth::host
