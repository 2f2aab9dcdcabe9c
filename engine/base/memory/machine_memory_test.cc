#include "engine/base/memory/machine_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace berth {
namespace {

namespace fs = std::filesystem;

class MachineMemory : public testing::Test {
 protected:
  MachineMemory() {
    fs::remove_all(root_);
    write("proc/meminfo", "MemTotal:       16384 kB\nMemFree:  1 kB\n");
  }
  ~MachineMemory() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::optional<uint64_t> usable() const { return usable_memory(root_.string()); }

  const fs::path root_ =
      fs::path(testing::TempDir()) / ("machine_memory_" + std::to_string(::getpid()));
};

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST_F(MachineMemory, IsThatOfTheMachineWithoutALimit) {
  EXPECT_EQ(usable(), 16 * kMiB);
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/memory.max", "max\n");
  EXPECT_EQ(usable(), 16 * kMiB);
}

TEST_F(MachineMemory, IsTheLeastLimitOfTheGroups) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/memory.max", "4194304\n");
  write("sys/fs/cgroup/a/b/memory.max", "8388608\n");
  EXPECT_EQ(usable(), 4 * kMiB);
}

TEST_F(MachineMemory, ReadsTheFirstVersion) {
  write("proc/self/cgroup", "5:devices:/\n4:cpu,memory:/pod\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(usable(), 16 * kMiB);
  write("sys/fs/cgroup/memory/pod/memory.limit_in_bytes", "2097152\n");
  EXPECT_EQ(usable(), 2 * kMiB);
}

// As in a container that does not see the path of its group.
TEST_F(MachineMemory, ReadsTheMountWithoutThePath) {
  write("proc/self/cgroup", "4:memory:/elsewhere\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576\n");
  EXPECT_EQ(usable(), kMiB);
}

TEST_F(MachineMemory, IsUnknownWithoutProc) {
  fs::remove_all(root_);
  EXPECT_EQ(usable(), std::nullopt);
}

}  // namespace
}  // namespace berth
