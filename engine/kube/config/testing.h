#pragma once

// Shared by the tests of this folder.

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/io/io.h"

namespace berth::kube {

// A folder of a test, removed at its end.
class TestFolder {
 public:
  TestFolder() {
    std::string name =
        std::filesystem::temp_directory_path() / ("berth-kube-" + std::string(6, 'X'));
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  // Writes a file, with the folders that its path has, and returns its absolute path.
  std::string write(const std::string& path, std::string_view text) const {
    const std::string file = at(path);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    FileSink(file).write(text);
    return file;
  }
  std::string at(const std::string& path) const { return path_ / path; }

 private:
  std::filesystem::path path_;
};

// The text of the error that the call throws; empty if it throws none.
template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace berth::kube
