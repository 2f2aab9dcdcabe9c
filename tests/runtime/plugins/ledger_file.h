#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace berth::tests {

// What the plugin is told, one line for each call and pod (plugins/ledger.cc).
class LedgerFile {
 public:
  explicit LedgerFile(std::string name) {
    std::ranges::replace(name, '/', '-');
    path_ = std::filesystem::path(BERTH_BUILD_DIR) / "test" / ("ledger-" + name + ".txt");
    std::filesystem::remove(path_);
    ::setenv("BERTH_TEST_LEDGER", path_.c_str(), 1);
  }
  ~LedgerFile() {
    ::unsetenv("BERTH_TEST_LEDGER");
    std::filesystem::remove(path_);
  }
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;

  // The lines since the last call.
  std::vector<std::string> take() {
    std::vector<std::string> lines;
    std::ifstream file(path_);
    file.seekg(taken_);
    for (std::string line; std::getline(file, line);) {
      taken_ += static_cast<std::streamoff>(line.size()) + 1;
      lines.push_back(line);
    }
    return lines;
  }

 private:
  std::filesystem::path path_;
  std::streamoff taken_ = 0;
};

}  // namespace berth::tests
