#include "engine/binding/binding_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/binding/binding_batch.h"

namespace berth::binding {
namespace {

using testing::ElementsAre;

struct BindingThreadTest : testing::Test {
  std::unique_ptr<BindingBatch> batch() { return std::make_unique<BindingBatch>(cluster, false); }

  model::Cluster cluster;
  std::array<std::unique_ptr<BindingBatch>, 3> batches{batch(), batch(), batch()};
  std::vector<const BindingBatch*> ran;  // the binding thread's, until wait()
};

TEST_F(BindingThreadTest, RunsBatchesInTheOrderOfTheHandOver) {
  BindingThread thread([&](BindingBatch& one) { ran.push_back(&one); });
  std::vector<const BindingBatch*> expected;
  // More batches than there are slots.
  for (size_t round = 0; round < 1000; ++round) {
    for (size_t i = 0; i <= round % 3; ++i) {
      thread.submit(*batches[i]);
      expected.push_back(batches[i].get());
    }
    if (round % 7 != 0) continue;
    thread.wait();
    EXPECT_EQ(ran, expected);
  }
  thread.wait();
  EXPECT_EQ(ran, expected);
}

TEST_F(BindingThreadTest, AHandOverDoesNotWait) {
  std::atomic<bool> go{false};
  BindingThread thread([&](BindingBatch& one) {
    while (!go.load()) std::this_thread::yield();
    ran.push_back(&one);
  });
  thread.submit(*batches[0]);
  thread.submit(*batches[1]);
  go.store(true);  // not reached if submit() ran the batch
  thread.wait();
  EXPECT_THAT(ran, ElementsAre(batches[0].get(), batches[1].get()));
}

TEST_F(BindingThreadTest, AFailureEndsTheRunAndIsThrownEachTime) {
  BindingThread thread([&](BindingBatch& one) {
    ran.push_back(&one);
    if (&one == batches[1].get()) throw std::runtime_error("disk full");
  });
  for (const auto& one : batches) thread.submit(*one);
  EXPECT_THROW(thread.wait(), std::runtime_error);
  EXPECT_THROW(thread.wait(), std::runtime_error);
  EXPECT_THAT(ran, ElementsAre(batches[0].get(), batches[1].get()));
}

TEST_F(BindingThreadTest, EndsWithBatchesThatWereNotRun) {
  {
    BindingThread thread([&](BindingBatch& one) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ran.push_back(&one);
    });
    for (const auto& one : batches) thread.submit(*one);
  }
  EXPECT_LE(ran.size(), 3u);
}

}  // namespace
}  // namespace berth::binding
