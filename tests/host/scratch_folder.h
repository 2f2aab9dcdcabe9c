#pragma once

// A temporary folder that only its owner can write to. The destructor removes it.

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace berth::host {

class ScratchFolder {
 public:
  ScratchFolder() {
    const std::string six_to_fill_in(6, 'X');
    std::string name =
        std::filesystem::temp_directory_path() / ("berth-host-test-" + six_to_fill_in);
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, std::string_view contents) const {
    const std::filesystem::path path = path_ / name;
    std::ofstream(path, std::ios::binary) << contents;
    chmod(path.c_str(), 0644);
    return path;
  }

  // Copies a test plugin into the folder.
  std::filesystem::path plugin(const std::string& name, const std::string& as) const {
    std::filesystem::copy_file(built(name), path_ / as);
    chmod((path_ / as).c_str(), 0755);
    return path_ / as;
  }

  // The path of a test plugin in the build.
  static std::filesystem::path built(const std::string& name) {
    return std::filesystem::path(BERTH_BUILD_DIR) / "test/plugins" / ("host_" + name + ".so");
  }

 private:
  std::filesystem::path path_;
};

}  // namespace berth::host
