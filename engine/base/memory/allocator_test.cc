#include "engine/base/memory/allocator.h"

#include <gtest/gtest.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/memory/mapping.h"

namespace berth {
namespace {

constexpr size_t kPageSize = 4096;
constexpr size_t kLargePage = size_t{1} << 21;

// True if the process asked the kernel for large pages where `address` is (smaps of proc(5)).
bool asks_for_large_pages(const void* address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::ifstream smaps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(smaps, line);) {
    std::istringstream words(line);
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-')
      here = begin <= wanted && wanted < end;
    else if (here && line.starts_with("VmFlags:"))
      return line.find(" hg") != std::string::npos;
  }
  return false;
}

bool kernel_takes(int advice) {
  const Mapping mapping = map_zeros(kLargePage);
  return madvise(mapping.get(), kLargePage, advice) == 0;
}

long faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// Number of faults that writing to each page takes in a child process, up to 255.
int faults_of_child(std::vector<char>& bytes, void (*first)()) {
  const pid_t child = fork();
  if (child == 0) {
    first();
    const long before = faults();
    for (size_t i = 0; i < bytes.size(); i += kPageSize) bytes[i] = 1;
    _exit(static_cast<int>(std::min(faults() - before, 255L)));
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

// One test, since a process asks once.
TEST(Allocator, AsksForLargePages) {
  if (!kernel_takes(MADV_HUGEPAGE)) GTEST_SKIP() << "the kernel has no large pages";
  ASSERT_TRUE(allocator_name().starts_with("mimalloc ")) << allocator_name();
  EXPECT_FALSE(allocator_name().ends_with("large pages")) << allocator_name();
  std::vector<char> before(200 * kPageSize, 'x');
  ask_for_large_pages();
  EXPECT_TRUE(allocator_name().ends_with(", large pages")) << allocator_name();
  EXPECT_TRUE(asks_for_large_pages(before.data()));
  EXPECT_EQ(before.back(), 'x');
  // More than mimalloc has from its start.
  std::vector<std::unique_ptr<char[]>> after;
  for (int i = 0; i < 100; ++i) after.push_back(std::make_unique<char[]>(size_t{1} << 20));
  for (const auto& block : after) EXPECT_TRUE(asks_for_large_pages(block.get()));

  // Linux can since 5.14.
  if (!kernel_takes(MADV_POPULATE_WRITE)) GTEST_SKIP() << "the kernel cannot copy pages ahead";
  EXPECT_GT(faults_of_child(before, [] {}), 150);
  EXPECT_LT(faults_of_child(before, take_heap_after_fork), 20);
  EXPECT_EQ(before.front(), 'x') << "the child wrote to memory of its parent";
}

}  // namespace
}  // namespace berth
