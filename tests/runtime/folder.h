#pragma once

// A temporary plugin folder, which the destructor removes.

#include <stdlib.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <string>

#include "engine/host/loading/discovery.h"
#include "engine/runtime/assembly.h"

namespace berth::tests {

class PluginFolder {
 public:
  PluginFolder() {
    std::string name =
        std::filesystem::temp_directory_path() / ("berth-plugins-" + std::string(6, 'X'));
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name);
  }
  ~PluginFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PluginFolder(const PluginFolder&) = delete;
  PluginFolder& operator=(const PluginFolder&) = delete;

  // Adds all plugins that ship, except `left_out`. Pass "" to add all of them.
  void add_shipped_but(const std::string& left_out) {
    for (const auto& entry : std::filesystem::directory_iterator(built("lib/berth/plugins")))
      if (entry.path().extension() == ".so" && entry.path().stem() != left_out)
        add(entry.path(), entry.path().filename());
  }
  // Adds a plugin of the tests under another file name.
  void add_of_tests(const std::string& name, const std::string& as) {
    add(built("test/plugins") / (name + ".so"), as);
  }

  // Adds the plugins whose answers are data: First, Second and Third.
  void add_scripted() {
    for (const char* name : {"scripted_first.so", "scripted_second.so", "scripted_third.so"})
      add(built("lib/berth/test-plugins") / name, name);
  }

  const std::filesystem::path& path() const { return path_; }

  // Throws if one of them cannot be used.
  runtime::Plugins discover() const {
    std::array<std::filesystem::path, 1> folders{path_};
    host::Discovery discovery = host::discover(folders);
    if (!discovery.problems.empty()) throw discovery.problems.front().error;
    return runtime::Plugins(std::move(discovery));
  }

 private:
  static std::filesystem::path built(const char* folder) {
    return std::filesystem::path(BERTH_BUILD_DIR) / folder;
  }
  void add(const std::filesystem::path& file, const std::filesystem::path& as) {
    std::filesystem::copy_file(file, path_ / as);
    chmod((path_ / as).c_str(), 0755);
  }

  std::filesystem::path path_;
};

}  // namespace berth::tests
