#pragma once

// Work over ranges of rows, on one thread or several.
//
// Ranges are split at multiples of `grain`, which are whole blocks of 64 rows, so that no two
// threads write to one block. Everything else that a body writes is in its thread's RowPart. The
// model is not modified until the parallel loop returns; the arena's join publishes what threads
// wrote.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/split_trial.h"
#include "engine/framework/evaluation/workers.h"
#include "engine/framework/hooks/bound_hook.h"
#include "engine/host/calls/call_context.h"
#include "engine/host/calls/together.h"
#include "engine/host/faults/fault_reports.h"
#include "engine/host/run/worker.h"

namespace berth::framework {

inline constexpr uint32_t kBlock = model::Column::kBlock;

inline model::Row block_begin(model::Row row) { return row / kBlock * kBlock; }
inline model::Row block_end(model::Row row) { return (row + kBlock - 1) / kBlock * kBlock; }

struct FullOptions {
  // Threads that help the caller's; they outlive the evaluator. Null: the caller works alone.
  Workers* workers = nullptr;
  // Ranges of fewer rows are not split over threads; the number of rows of a part, a multiple
  // of 64.
  uint32_t parallel_from = 2048;
  uint32_t grain = 1024;
  // True: a longer range is split only where that was faster so far (split_trial.h). False: always.
  bool measured = true;
  // Of the incremental evaluation: the limit of the memory of rankings, in bytes; and how often the
  // ranking of a kind of pod is asked for before it is made.
  size_t ranking_bytes = size_t{512} << 20;
  uint32_t ranking_from = 2;
  // With several threads the rankings of so many pods that wait next are made, or brought up to
  // date if `ahead_from` entries of the change log or more are new to them, together.
  uint32_t ahead = 24;
  uint32_t ahead_from = 16;

  bool operator==(const FullOptions&) const = default;
};

// A call of a filter about rows [begin, end) that failed.
struct FailedCall {
  size_t filter;  // index in the profile's list
  model::Row begin, end;
  std::string text;
};

// The memory of one thread. Only that thread writes to it during a parallel loop.
struct RowPart {
  // `context`: the deciding thread's; null: the part makes one of its own.
  explicit RowPart(host::CallContext* context) : calls(context) {
    if (calls == nullptr) {
      owned = std::make_unique<host::CallContext>();
      calls = owned.get();
    }
  }

  RowColumns& single(const BoundHook& hook) {
    if (hook.index() >= singles.size()) singles.resize(hook.index() + 1);
    return singles[hook.index()];
  }

  // Room for answers of one call. Valid until the next one of the thread.
  template <typename Answer>
  static std::span<Answer> room(std::vector<Answer>& answers, size_t count) {
    constexpr size_t kUsual = 1024;  // so that decisions do not allocate
    if (answers.size() < count) answers.resize(std::max(2 * count, kUsual));
    return {answers.data(), count};
  }

  std::unique_ptr<host::CallContext> owned;  // of the caller's part: null
  host::CallContext* calls;
  host::Together together;
  CallColumns columns;
  std::vector<RowColumns> singles;  // by BoundHook::index, use single()
  std::vector<uint8_t> verdicts;    // answers of the call that is made: room()
  std::vector<int64_t> scores;
  std::string error;               // of a call that failed
  std::vector<FailedCall> failed;  // of the search
  uint64_t rows = 0;
};

// Belongs to the thread that owns the model.
class RowWork {
 public:
  RowWork(host::CallContext& calls, const FullOptions& options) : options_(options) {
    BERTH_ASSERT(options.grain % kBlock == 0 && options.grain != 0);
    const int threads = options.workers == nullptr ? 1 : options.workers->threads();
    for (int i = 0; i < threads; ++i) {
      owned_.push_back(std::make_unique<RowPart>(i == 0 ? &calls : nullptr));
      parts_.push_back(owned_.back().get());
    }
  }
  // Of one thread, with a part of another RowWork, which outlives this one.
  explicit RowWork(RowPart& part) : parts_{&part} {}

  // Runs body(begin, end, part) over [begin, end) in ranges that begin at multiples of 64 except
  // for the first, on several threads if it is worth it.
  template <typename Body>
  void over_rows(model::Row begin, model::Row end, const Body& body);

  // True if over_rows() runs the body once, for the whole range, on the calling thread.
  bool is_whole(model::Row begin, model::Row end) const {
    return parts_.size() == 1 || end - begin < options_.parallel_from;
  }

  // Runs body(i, slot) for each i below `tasks`, which write to memory of their own and to that of
  // their slot alone: part(slot). On several threads, if there are.
  template <typename Body>
  void over_tasks(size_t tasks, const Body& body);

  // Room for the answers of one Score hook about all rows, until it is asked for again.
  std::vector<int64_t>& scores(model::Row rows) {
    scores_.resize(std::max<size_t>(scores_.size(), block_end(rows)));
    return scores_;
  }

  // The same for a Filter hook.
  std::span<uint8_t> codes(model::Row rows) {
    codes_.resize(std::max<size_t>(codes_.size(), block_end(rows)));
    return std::span(codes_).first(rows);
  }

  RowPart& mine() { return *parts_[0]; }  // of the calling thread
  RowPart& part(size_t slot) { return *parts_[slot]; }
  size_t slots() const { return parts_.size(); }
  // The text of a call that failed since clear_errors(), or empty.
  std::string error() const {
    for (const RowPart* part : parts_)
      if (!part->error.empty()) return part->error;
    return {};
  }
  void clear_errors() {
    for (RowPart* part : parts_) part->error.clear();
  }
  // Number of rows that threads other than the calling one worked on so far.
  uint64_t rows_off_main() const {
    uint64_t rows = 0;
    for (size_t i = 1; i < parts_.size(); ++i) rows += parts_[i]->rows;
    return rows;
  }
  // The contexts of the helping threads, which hold the counts of their calls. The calling thread's
  // own context is not among them. Valid as long as this object.
  std::vector<host::CallContext*> helpers() const {
    std::vector<host::CallContext*> helpers;
    for (size_t i = 1; i < parts_.size(); ++i) helpers.push_back(parts_[i]->calls);
    return helpers;
  }

 private:
  template <typename Body>
  void serial(model::Row begin, model::Row end, const Body& body);
  template <typename Body>
  void split(model::Row begin, model::Row end, const Body& body);

  FullOptions options_;
  SplitTrial trial_;
  std::vector<int64_t> scores_;
  std::vector<uint8_t> codes_;
  std::vector<std::unique_ptr<RowPart>> owned_;
  std::vector<RowPart*> parts_;  // by slot of the arena; 0 is the caller's
};

template <typename Body>
void RowWork::over_tasks(size_t tasks, const Body& body) {
  options_.workers->arena().execute([&] {
    const auto run = [&](size_t task) {
      host::use_fault_stack();
      const auto slot = static_cast<size_t>(tbb::this_task_arena::current_thread_index());
      BERTH_ASSERT(slot < parts_.size());
      host::Worker::is_slot(slot);
      body(task, slot);
    };
    // A thread takes one task at a time: a task takes longer than to hand it out.
    tbb::parallel_for(size_t{0}, tasks, run, tbb::simple_partitioner());
  });
}

template <typename Body>
void RowWork::over_rows(model::Row begin, model::Row end, const Body& body) {
  const uint32_t rows = end - begin;
  if (is_whole(begin, end)) return serial(begin, end, body);
  if (!options_.measured) return split(begin, end, body);
  using Clock = std::chrono::steady_clock;
  const bool splits = trial_.splits(rows);
  const Clock::time_point start = Clock::now();
  splits ? split(begin, end, body) : serial(begin, end, body);
  const std::chrono::nanoseconds took = Clock::now() - start;
  trial_.took(rows, splits, static_cast<uint64_t>(took.count()));
}

template <typename Body>
void RowWork::serial(model::Row begin, model::Row end, const Body& body) {
  body(begin, end, *parts_[0]);
  parts_[0]->rows += end - begin;
}

template <typename Body>
void RowWork::split(model::Row begin, model::Row end, const Body& body) {
  // The tasks are blocks of the grain, which begin at its multiples except for the first.
  const uint32_t grain = options_.grain;
  const uint32_t first = begin / grain, last = (end + grain - 1) / grain;
  options_.workers->arena().execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<uint32_t>(first, last, 1),
        [&](const auto& range) {
          host::use_fault_stack();
          auto slot = static_cast<size_t>(tbb::this_task_arena::current_thread_index());
          BERTH_ASSERT(slot < parts_.size());
          host::Worker::is_slot(slot);
          model::Row from = std::max(begin, range.begin() * grain);
          const auto to =
              static_cast<model::Row>(std::min(uint64_t{end}, uint64_t{range.end()} * grain));
          body(from, to, *parts_[slot]);
          parts_[slot]->rows += to - from;
        },
        tbb::simple_partitioner());
  });
}

}  // namespace berth::framework
