// Measures the scheduling queue with up to a million pending pods. Hooks answer at once, so the
// figures are the queue's own.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/base/draw.h"
#include "engine/base/time.h"
#include "engine/queue/scheduling_queue.h"

namespace {

using namespace berth;
using queue::Place;
using queue::QueueEvent;
using queue::RefuserId;
constexpr uint32_t kNode = 1, kAdd = 1, kUpdate = 2;  // kinds and actions of events
constexpr RefuserId kFit = 0, kLabels = 1;
const QueueEvent kHelpsOneGroup{kNode, kAdd, nullptr};
const QueueEvent kHelpsAll{kNode, kUpdate, nullptr};

class Hooks : public queue::QueueHooks {
 public:
  uint32_t groups = 1;
  uint64_t priorities = 1;
  bool timed = false;  // keys follow the time of entry, as those of PrioritySort do

  void queued(model::PodId pod, Time, uint64_t moment) override {
    if (!timed) return;
    if (pod.index >= moments_.size()) moments_.resize(pod.index + size_t{1});
    moments_[pod.index] = __builtin_bswap64(moment);
  }
  void gate(queue::ProfileId, std::span<const model::PodId>, std::span<RefuserId> by) override {
    std::fill(by.begin(), by.end(), queue::kNobody);
  }
  void sort_keys(queue::ProfileId, std::span<const model::PodId> pods,
                 std::span<uint8_t> keys) override {
    for (size_t i = 0; i < pods.size(); ++i) {
      const uint64_t drawn = draw(1, pods[i].handle(), 0, Purpose::kLoad);
      const uint64_t priority = __builtin_bswap64(drawn % priorities);
      uint8_t* key = &keys[i * sizeof(queue::SortKey)];
      std::memcpy(key, &priority, sizeof priority);
      if (timed) std::memcpy(key + 8, &moments_[pods[i].index], 8);
    }
  }
  uint32_t group(model::PodId pod) override { return pod.index % groups; }
  void hint(const QueueEvent& event, RefuserId, std::span<const model::PodId> pods,
            std::span<uint8_t> queue) override {
    for (size_t i = 0; i < pods.size(); ++i)
      queue[i] = event.action == kUpdate || group(pods[i]) == groups / 2;
  }

 private:
  std::vector<uint64_t> moments_;  // by index of the pod
};

struct Bench {
  Hooks hooks;
  std::unique_ptr<queue::SchedulingQueue> queue;
  queue::Refusers refusers;
  Time now{};

  explicit Bench(queue::QueueOptions options = {}) {
    hooks.timed = options.equal_times;
    options.initial_backoff = std::chrono::seconds(1);
    options.max_backoff = std::chrono::seconds(10);
    queue = std::make_unique<queue::SchedulingQueue>(hooks, options);
    queue->set_interest({0, kFit, kNode, kAdd | kUpdate, true});
    queue->set_interest({0, kLabels, kNode, kUpdate, true});
    refusers.add(kFit);
    refusers.add(kLabels);
  }
  void add(model::PodId pod) { queue->add(0, {&pod, 1}, now += Time(1000)); }
  // Pods with these ids, refused.
  void wait(uint32_t pods) {
    for (uint32_t i = 0; i < pods; ++i) {
      add({i, 1});
      queue->add_unschedulable(*queue->pop(), refusers, now);
    }
  }
  void refuse_all_active() {
    while (queue->size(Place::kActive) != 0)
      queue->add_unschedulable(*queue->pop(), refusers, now += Time(1000));
  }
};

// Adds, pops and finishes one pod of a queue of this size.
void add_pop_done(benchmark::State& state, bool equal_times) {
  constexpr uint32_t kRows = 1u << 21;  // of the pod table, more than wait at a time
  Bench bench({.equal_times = equal_times});
  bench.hooks.priorities = static_cast<uint64_t>(state.range(1));
  uint32_t added = 0;
  const auto add = [&] {
    model::PodId pod{added % kRows, 1 + added / kRows};
    // By priority a pod may stay for longer than it takes to fill the table.
    while (bench.queue->place({pod.index, pod.generation - 1}) != Place::kNone)
      pod = {++added % kRows, 1 + added / kRows};
    bench.add(pod);
    ++added;
  };
  while (bench.queue->size(Place::kActive) < static_cast<size_t>(state.range(0))) add();
  for (auto _ : state) {
    add();
    bench.queue->done(*bench.queue->pop());
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_AddPopDone(benchmark::State& state) { add_pop_done(state, false); }
// The same with the heap of kube-scheduler.
void BM_AddPopDoneEqualTimes(benchmark::State& state) { add_pop_done(state, true); }

// All that a decision needs of the queue if the pod is bound at its first attempt and nobody waits:
// pods arrive 256 at a time, as from a stream; each is popped, cannot be refused any more, leaves
// when it is bound, and its binding is told as two events.
void BM_DecisionWithoutRetry(benchmark::State& state) {
  constexpr uint32_t kBatch = 256;
  Bench bench;
  std::vector<model::PodId> pods(kBatch);
  uint32_t generation = 0;
  for (auto _ : state) {
    ++generation;
    for (uint32_t i = 0; i < kBatch; ++i) pods[i] = {i, generation};
    bench.queue->add(0, pods, bench.now += Time(1000));
    for (uint32_t i = 0; i < kBatch; ++i) {
      const model::PodId pod = *bench.queue->pop();
      bench.queue->refusal_over(pod);
      bench.queue->remove(pod);
      if (bench.queue->concerns(kHelpsAll)) bench.queue->move_all(kHelpsAll, bench.now);
      if (bench.queue->concerns(kHelpsOneGroup)) bench.queue->move_all(kHelpsOneGroup, bench.now);
    }
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}

// Pops a pod, refuses it, and wakes its group, while this many wait.
void BM_RefuseAndWake(benchmark::State& state) {
  Bench bench;
  const auto pods = static_cast<uint32_t>(state.range(0));
  bench.hooks.groups = static_cast<uint32_t>(state.range(1));
  bench.wait(pods);
  const uint32_t awake = pods / bench.hooks.groups;
  for (auto _ : state) {
    bench.queue->move_all(kHelpsOneGroup, bench.now += std::chrono::seconds(20));
    for (uint32_t i = 0; i < awake; ++i)
      bench.queue->add_unschedulable(*bench.queue->pop(), bench.refusers, bench.now);
  }
  state.SetItemsProcessed(state.iterations() * awake);
}

// An event that concerns the refusers of this many waiting pods and helps none.
void BM_EventHelpsNobody(benchmark::State& state) {
  Bench bench;
  bench.hooks.groups = static_cast<uint32_t>(state.range(1)) + 1;
  for (uint32_t i = 0; i < state.range(0); ++i) {
    if (i % bench.hooks.groups == bench.hooks.groups / 2) continue;
    bench.add({i, 1});
    bench.queue->add_unschedulable(*bench.queue->pop(), bench.refusers, bench.now);
  }
  for (auto _ : state) bench.queue->move_all(kHelpsOneGroup, bench.now);
}

// An event that wakes all of this many waiting pods, whose backoff is over or is not; per pod.
void move_all(benchmark::State& state, Time later) {
  Bench bench;
  bench.hooks.groups = static_cast<uint32_t>(state.range(1));
  bench.wait(static_cast<uint32_t>(state.range(0)));
  for (auto _ : state) {
    bench.queue->move_all(kHelpsAll, bench.now += later);
    state.PauseTiming();
    bench.queue->flush_backoff(bench.now += std::chrono::seconds(20));
    bench.refuse_all_active();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
void BM_MoveAllToActive(benchmark::State& state) { move_all(state, std::chrono::seconds(20)); }
void BM_MoveAllToBackoff(benchmark::State& state) { move_all(state, Time(1000)); }

// Flushes this many pods whose backoff is over; per pod.
void BM_FlushBackoff(benchmark::State& state) {
  Bench bench;
  bench.hooks.priorities = static_cast<uint64_t>(state.range(1));
  bench.wait(static_cast<uint32_t>(state.range(0)));
  for (auto _ : state) {
    state.PauseTiming();
    bench.queue->move_all(kHelpsAll, bench.now);
    state.ResumeTiming();
    bench.queue->flush_backoff(bench.now += std::chrono::seconds(20));
    state.PauseTiming();
    bench.refuse_all_active();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// Removes and adds again each of this many waiting pods in turn.
void BM_RemoveWaiting(benchmark::State& state) {
  Bench bench;
  bench.hooks.groups = static_cast<uint32_t>(state.range(1));
  const auto pods = static_cast<uint32_t>(state.range(0));
  bench.wait(pods);
  uint64_t removed = 0;
  for (auto _ : state) {
    const model::PodId pod{static_cast<uint32_t>(removed * 7919 % pods),
                           1 + static_cast<uint32_t>(removed / pods)};
    bench.queue->remove(pod);
    bench.add({pod.index, pod.generation + 1});
    bench.queue->add_unschedulable(*bench.queue->pop(), bench.refusers, bench.now);
    ++removed;
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(BM_AddPopDone)
    ->ArgNames({"pending", "priorities"})
    ->ArgsProduct({{0, 1'000, 1'000'000}, {1, 10, 1 << 30}});
BENCHMARK(BM_AddPopDoneEqualTimes)
    ->ArgNames({"pending", "priorities"})
    ->ArgsProduct({{0, 1'000, 1'000'000}, {1, 10, 1 << 30}});
BENCHMARK(BM_DecisionWithoutRetry);
BENCHMARK(BM_RefuseAndWake)
    ->ArgNames({"waiting", "groups"})
    ->Args({1'000, 100})
    ->Args({1'000'000, 100})
    ->Args({1'000'000, 1'000})
    ->Args({1'000'000, 10'000})
    ->Args({1'000'000, 100'000})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_EventHelpsNobody)
    ->ArgNames({"waiting", "groups"})
    ->ArgsProduct({{1'000'000}, {1, 1'000, 100'000}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_MoveAllToActive)
    ->ArgNames({"waiting", "groups"})
    ->ArgsProduct({{1'000, 1'000'000}, {1, 1'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_MoveAllToBackoff)
    ->ArgNames({"waiting", "groups"})
    ->ArgsProduct({{1'000, 1'000'000}, {1, 1'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FlushBackoff)
    ->ArgNames({"pending", "priorities"})
    ->ArgsProduct({{1'000, 1'000'000}, {1, 1 << 30}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_RemoveWaiting)
    ->ArgNames({"waiting", "groups"})
    ->ArgsProduct({{1'000'000}, {1, 100'000}});

}  // namespace

BENCHMARK_MAIN();
