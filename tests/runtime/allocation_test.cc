// The path of a decision does not allocate memory, neither in the engine nor in plugins.

#include <gtest/gtest.h>

#include "bench/micro/counting_allocator.h"
#include "bench/micro/steady_cluster.h"

namespace berth::tests {
namespace {

TEST(Allocations, AreCounted) {
  const uint64_t before = bench::allocations_of_this_thread();
  int* volatile made = new int(1);  // volatile, or the compiler would remove it
  delete made;
  EXPECT_EQ(bench::allocations_of_this_thread(), before + 1);
}

void expect_none(int32_t percentage) {
  bench::SteadyOptions options;
  options.nodes = 300;
  options.templates = 8;
  // Pod lists of nodes grow by doubling: all of them grow to 16 and stay there.
  options.pods_per_node = 10;
  options.most_pods = 16;
  options.percentage = percentage;
  bench::SteadyCluster cluster(options);
  // Warm up until tables and lists have their final size.
  cluster.fill();
  const auto allocated_in = [&](int decisions) {
    uint64_t allocated = 0;
    for (int i = 0; i < decisions; ++i) {
      cluster.refill();
      const uint64_t before = bench::allocations_of_this_thread();
      cluster.step();
      allocated += bench::allocations_of_this_thread() - before;
    }
    return allocated;
  };
  allocated_in(50'000);
  EXPECT_EQ(allocated_in(100'000), 0u);
  EXPECT_EQ(cluster.failed(), 0u);
}

TEST(Allocations, NoneInAHundredThousandDecisions) { expect_none(0); }
TEST(Allocations, NoneWhenAllNodesAreScored) { expect_none(100); }

}  // namespace
}  // namespace berth::tests
