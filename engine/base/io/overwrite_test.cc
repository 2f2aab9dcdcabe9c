#include "engine/base/io/overwrite.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "engine/base/error.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class OverwriteTest : public ::testing::Test {
 protected:
  OverwriteTest() : folder_(fs::temp_directory_path() / ("overwrite-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "input") << "input";
  }
  ~OverwriteTest() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ / name; }
  bool refused(const std::string& output, const std::vector<std::string>& inputs) const {
    try {
      refuse_overwriting(output, inputs);
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, output);
      return true;
    }
  }

  fs::path folder_;
};

TEST_F(OverwriteTest, RefusesAnInputUnderAnyName) {
  fs::create_symlink(path("input"), path("symbolic"));
  fs::create_hard_link(path("input"), path("hard"));
  for (const char* output : {"input", "symbolic", "hard", "../nowhere/../input"}) {
    const bool exists = fs::exists(path(output));
    EXPECT_EQ(refused(path(output), {"/dev/null", path("input")}), exists) << output;
  }
  EXPECT_FALSE(refused(path("new"), {path("input")}));
  EXPECT_FALSE(refused(path("input"), {path("other"), "", "unix:/tmp/socket"}));
}

TEST_F(OverwriteTest, DevicesAreNotOverwritten) {
  EXPECT_FALSE(refused("/dev/null", {"/dev/null"}));
}

TEST_F(OverwriteTest, RefusesTheFileBehindStandardInput) {
  const int before = ::dup(STDIN_FILENO);
  const int input = ::open(path("input").c_str(), O_RDONLY);
  ASSERT_EQ(::dup2(input, STDIN_FILENO), STDIN_FILENO);
  EXPECT_TRUE(refused(path("input"), {"-"}));
  EXPECT_FALSE(refused(path("new"), {"-"}));
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ::close(input);
}

TEST_F(OverwriteTest, OutputsAreTheSameByFileOrByPath) {
  fs::create_hard_link(path("input"), path("hard"));
  EXPECT_TRUE(is_same_output(path("input"), path("hard")));
  EXPECT_TRUE(is_same_output(path("new"), folder_ / "." / "new"));
  EXPECT_FALSE(is_same_output(path("new"), path("other")));
  EXPECT_FALSE(is_same_output("/dev/null", "/dev/null"));
  EXPECT_FALSE(is_same_output("-", "-"));
  EXPECT_FALSE(is_same_output("", ""));
}

}  // namespace
}  // namespace berth
