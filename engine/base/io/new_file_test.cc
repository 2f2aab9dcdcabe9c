#include "engine/base/io/new_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class NewFileTest : public ::testing::Test {
 protected:
  NewFileTest() : folder_(fs::temp_directory_path() / ("new-file-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~NewFileTest() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ / "report.html"; }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(NewFileTest, StandsInTheOldOnesPlaceWhenItIsComplete) {
  std::ofstream(path()) << "old";
  NewFile file(path());
  EXPECT_EQ(read_file(path()), "old");
  file.write("ne");
  file.write("w");
  EXPECT_EQ(read_file(path()), "old");
  file.finish();
  EXPECT_EQ(read_file(path()), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(NewFileTest, LeavesNothingBehindIfItIsNotFinished) {
  std::ofstream(path()) << "old";
  { NewFile(path()).write("half"); }
  EXPECT_EQ(read_file(path()), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(NewFileTest, ItsTemporaryFileCanBeRemovedByAnEndWithoutDestructors) {
  std::ofstream(path()) << "old";
  const NewFile other(path() + "2");
  NewFile file(path());
  file.write("half");
  NewFile(path() + "3").finish();  // is no temporary file any more
  EXPECT_EQ(files(), 4u);
  const auto in_a_child = [] {
    remove_temporary_files();  // those of its parent are none of its business
    std::_Exit(0);
  };
  EXPECT_EXIT(in_a_child(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(files(), 4u);
  remove_temporary_files();
  EXPECT_EQ(read_file(path()), "old");
  EXPECT_EQ(files(), 2u);
}

TEST_F(NewFileTest, KeepsThePermissions) {
  std::ofstream(path()) << "old";
  fs::permissions(path(), fs::perms::owner_read | fs::perms::owner_write);
  NewFile(path()).finish();
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(NewFileTest, FollowsALink) {
  const fs::path target = folder_ / "target.html";
  std::ofstream(target) << "old";
  fs::create_symlink(target, path());
  NewFile file(path());
  file.write("new");
  file.finish();
  EXPECT_TRUE(fs::is_symlink(path()));
  EXPECT_EQ(read_file(target), "new");
}

TEST_F(NewFileTest, WritesIntoWhatIsNoRegularFile) {
  NewFile file("/dev/null");
  file.write("content");
  file.finish();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(NewFileTest, IsRefusedByTheNameThatWasGiven) {
  const std::string missing = folder_ / "no" / "report.html";
  try {
    NewFile file(missing);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              missing + ": cannot be opened for writing: No such file or directory");
  }
}

}  // namespace
}  // namespace berth
