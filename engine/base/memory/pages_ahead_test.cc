#include "engine/base/memory/pages_ahead.h"

#include <gtest/gtest.h>
#include <linux/mman.h>
#include <sys/mman.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

namespace berth {
namespace {

constexpr size_t kPage = AheadRegion::kPage;

// Address space that begins at a page.
class Space {
 public:
  explicit Space(size_t pages) : size_((pages + 1) * kPage) {
    base_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT_NE(base_, MAP_FAILED);
  }
  ~Space() { munmap(base_, size_); }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  std::byte* at(size_t page) const {
    const auto base = reinterpret_cast<uintptr_t>(base_);
    return static_cast<std::byte*>(base_) + (kPage - base % kPage) % kPage + page * kPage;
  }
  void use(size_t page) { *at(page) = std::byte{1}; }
  // The pages below `end` that have memory, such as "##.#".
  std::string memory(size_t end) const {
    std::string pages;
    for (size_t page = 0; page < end; ++page) {
      unsigned char resident = 0;
      EXPECT_EQ(mincore(at(page), 1, &resident), 0);
      pages += (resident & 1) != 0 ? '#' : '.';
    }
    return pages;
  }

 private:
  size_t size_;
  void* base_;
};

class PagesAheadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Space space(1);
    if (madvise(space.at(0), kPage, MADV_POPULATE_WRITE) != 0)
      GTEST_SKIP() << "the kernel cannot populate pages";
  }
};

TEST_F(PagesAheadTest, NothingBeforeAPageIsUsed) {
  const Space space(4);
  AheadRegion region(space.at(0), 4 * kPage, 0);
  EXPECT_EQ(region.step(), 0u);
  EXPECT_EQ(space.memory(4), "....");
}

TEST_F(PagesAheadTest, PagesBehindOneThatIsUsed) {
  Space space(8);
  AheadRegion region(space.at(0), 8 * kPage, 0);
  space.use(0);
  EXPECT_EQ(region.step(), 2u);
  EXPECT_EQ(space.memory(8).substr(1), "##.....");
  EXPECT_EQ(region.step(), 0u) << "the first page behind them was not used";
  EXPECT_EQ(region.unused(), 2u);
  space.use(1);
  space.use(2);
  EXPECT_EQ(region.unused(), 0u);
  EXPECT_EQ(region.step(), 0u);
  space.use(3);
  EXPECT_EQ(region.step(), 2u);
  EXPECT_EQ(space.memory(8).substr(4), "##..");
}

TEST_F(PagesAheadTest, MoreOfThemTheMoreHaveMemory) {
  Space space(64);
  AheadRegion region(space.at(0), 64 * kPage, 0);
  for (size_t page = 0; page < 40; ++page) space.use(page);
  EXPECT_EQ(region.step(), 5u);  // an eighth
  EXPECT_EQ(space.memory(64).substr(40, 6), "#####.");
}

TEST_F(PagesAheadTest, ARegionAndItsUnitsEnd) {
  Space space(8);
  AheadRegion region(space.at(0) + 1, 8 * kPage - 2, 2 * kPage);  // pages 1 to 6
  space.use(1);
  space.use(3);
  space.use(6);  // without the unit before its own
  EXPECT_EQ(region.step(), 2u);
  EXPECT_EQ(space.memory(8)[2], '#');
  EXPECT_EQ(space.memory(8)[4], '#');
  EXPECT_EQ(space.memory(8)[5], '.');
  space.use(5);
  EXPECT_EQ(region.step(), 0u);  // page 6 has memory
  EXPECT_EQ(space.memory(8)[7], '.');
}

TEST_F(PagesAheadTest, WhatIsUsedStaysAsItIs) {
  Space space(4);
  AheadRegion region(space.at(0), 4 * kPage, 0);
  space.use(0);
  *(space.at(2) + kPage - 1) = std::byte{7};
  EXPECT_NE(region.step(), 0u);
  EXPECT_EQ(*space.at(0), std::byte{1});
  EXPECT_EQ(*(space.at(2) + kPage - 1), std::byte{7});
  *(space.at(1) + kPage - 1) = std::byte{7};
  EXPECT_EQ(region.unused(), 0u) << "the last byte counts";
}

TEST_F(PagesAheadTest, StopsWhenItIsTold) {
  Space space(4);
  AheadRegion region(space.at(0), 4 * kPage, 0);
  space.use(0);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(region.step(stop.get_token()), 0u);
}

TEST_F(PagesAheadTest, TooSmallARegionHasNoPages) {
  Space space(2);
  space.use(0);
  AheadRegion region(space.at(0) + 1, kPage, 0);
  EXPECT_EQ(region.step(), 0u);
  EXPECT_EQ(region.unused(), 0u);
}

TEST_F(PagesAheadTest, AThreadDoesIt) {
  Space space(4);
  PagesAhead pages;
  pages.add(AheadRegion(space.at(0), 4 * kPage, 0));
  EXPECT_EQ(pages.unused_bytes(), 0u);
  space.use(0);
  pages.start();
  while (space.memory(3) != "###") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  space.use(2);
  while (pages.unused_bytes() != kPage) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_F(PagesAheadTest, ARegionThatIsRemovedIsLeftAlone) {
  Space first(4), second(4);
  PagesAhead pages;
  pages.add(AheadRegion(first.at(0), 4 * kPage, 0));
  pages.add(AheadRegion(second.at(0), 4 * kPage, 0));
  pages.remove(first.at(0));
  first.use(0);
  second.use(0);
  pages.start();
  while (second.memory(3) != "###") std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(first.memory(3), "#..");
}

}  // namespace
}  // namespace berth
