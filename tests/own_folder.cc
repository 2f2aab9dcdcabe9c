// Gives each run of a test program its own folder for testing::TempDir(), and removes it in the
// end. Tests that run side by side may write files of the same name.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace berth {
namespace {

class OwnFolder final : public ::testing::Environment {
 public:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "berth-test-" + std::string(6, 'X');
    ASSERT_NE(mkdtemp(folder_.data()), nullptr) << folder_;
    setenv("TEST_TMPDIR", folder_.c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::string folder_;
};

const ::testing::Environment* const own_folder = ::testing::AddGlobalTestEnvironment(new OwnFolder);

}  // namespace
}  // namespace berth
