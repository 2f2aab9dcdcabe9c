#include "engine/base/io/former_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/base/io/new_file.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class FormerFilesTest : public testing::Test {
 protected:
  FormerFilesTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FormerFilesTest() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << "former";
    return path;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("former_files_" + std::to_string(::getpid()));
};

TEST_F(FormerFilesTest, GoIfNobodyWroteThem) {
  const std::string paths[] = {file("results"), file("summary"), "", "-"};
  {
    const FormerFiles former(paths);
    NewFile summary(paths[1]);
    summary.write(std::string_view("new"));
    summary.finish();
    EXPECT_TRUE(fs::exists(paths[0]));
  }
  EXPECT_FALSE(fs::exists(paths[0]));
  EXPECT_TRUE(fs::exists(paths[1]));
}

TEST_F(FormerFilesTest, StayIfTheyAreNew) {
  const std::string path = (folder_ / "bindings").string();
  {
    const FormerFiles former(std::span(&path, 1));
    file("bindings");
  }
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(FormerFilesTest, AreFoundThroughLinks) {
  const std::string target = file("target"), link = (folder_ / "link").string();
  fs::create_symlink(target, link);
  { const FormerFiles former(std::span(&link, 1)); }
  EXPECT_FALSE(fs::exists(target));
}

TEST_F(FormerFilesTest, AreNoFoldersAndDevices) {
  const std::string paths[] = {folder_.string(), "/dev/null"};
  { const FormerFiles former(paths); }
  EXPECT_TRUE(fs::exists(folder_));
  EXPECT_TRUE(fs::exists("/dev/null"));
}

}  // namespace
}  // namespace berth
