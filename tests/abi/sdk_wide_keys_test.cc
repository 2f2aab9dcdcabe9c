// A QueueSort with keys of a length of its own.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/testing/harness.h"

namespace {

namespace sdk = berth::sdk;

struct ByPriority : sdk::WideQueueSort<20> {
  sdk::Input<int64_t> priority{*this, "pod.priority"};
  void keys(const Call& call, std::span<Key> keys) const override {
    if (keys.size() == 3) throw sdk::Failure("three pods");
    for (size_t i = 0; i < keys.size(); ++i) {
      std::fill_n(keys[i], 12, uint8_t{3});
      sdk::put_ordered(keys[i] + 12, call[priority][i]);
    }
  }
};

}  // namespace

BERTH_SDK_PLUGIN(sdk::Hooks<ByPriority>, "io.berth.test.sdk-wide-keys", "SdkWideKeys",
                 BERTH_QUEUE_SORT);

namespace berth::plugins::testing {
namespace {

TEST(SdkWideQueueSort, KeysAreOneBehindTheOther) {
  FakeHost host;
  Harness plugin{host};
  const auto& sort = *plugin.table<berth_queue_sort>(BERTH_QUEUE_SORT);
  EXPECT_EQ(sort.keys, nullptr);
  ASSERT_EQ(sort.wide_key_bytes, 20u);
  const Values priorities = Values(std::vector<int64_t>{1, 2, 3});
  const berth_column column = priorities.column();
  berth_call call{};
  call.size = sizeof call;
  call.count = 2;
  call.columns = &column;
  call.column_count = 1;
  std::vector<uint8_t> keys(60);
  EXPECT_EQ(sort.wide_keys(plugin.raw(), &call, keys.data()), BERTH_SUCCESS);
  EXPECT_EQ(keys[11], 3);
  EXPECT_EQ(keys[19], 1);
  EXPECT_EQ(keys[20], 3);
  EXPECT_EQ(keys[39], 2);
  call.count = 3;
  EXPECT_EQ(sort.wide_keys(plugin.raw(), &call, keys.data()), BERTH_ERROR);
}

TEST(SdkWideQueueSort, SaysThatItNeedsAHostWithWideKeys) {
  EXPECT_EQ(berth_plugin_entry_v1()->abi_minor_needed, 3);
  const FakeHost host;
  ByPriority sort;
  EXPECT_NO_THROW(sort.start(sdk::Host(host.raw(), sdk::Needs(3))));
  EXPECT_THROW(sort.start(sdk::Host(host.raw(), sdk::Needs(2))), sdk::Failure);
}

}  // namespace
}  // namespace berth::plugins::testing
