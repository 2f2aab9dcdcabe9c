#pragma once

// The parts of BatchEvaluator that its two halves, filtering and scoring, share. Internal.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <string>

#include "engine/base/assert.h"
#include "engine/framework/evaluation/batch_evaluator.h"

namespace berth::framework {

inline constexpr uint32_t kBlock = RowCache<uint8_t>::kBlock;

inline model::Row block_begin(model::Row row) { return row / kBlock * kBlock; }
inline model::Row block_end(model::Row row) { return (row + kBlock - 1) / kBlock * kBlock; }

// Brings a row cache up to date for rows [begin, end). Calls fill(begin, end) for each run of rows
// whose blocks have another stamp than stamp(block), and stores the new stamps, or 0 if fill
// returns false. `now_of_all`: a number that differs whenever stamp(block) differs for any block,
// or 0 if other threads may work on the cache. Precondition: begin is a multiple of 64.
template <typename T, typename Stamp, typename Fill>
void refresh(RowCache<T>& cache, uint64_t now_of_all, model::Row begin, model::Row end,
             const Stamp& stamp, const Fill& fill) {
  std::vector<uint64_t>& stamps = cache.stamps;
  const uint32_t last = (end + kBlock - 1) / kBlock;
  if (cache.fresh(now_of_all, begin / kBlock, last)) return;
  bool filled = true;
  for (uint32_t block = begin / kBlock; block < last;) {
    uint64_t now = stamp(block);
    if (stamps[block] == now) {
      ++block;
      continue;
    }
    const uint32_t first = block;
    while (block < last && stamps[block] != now) {
      stamps[block] = now;
      if (++block < last) now = stamp(block);
    }
    if (!fill(first * kBlock, std::min(end, block * kBlock))) {
      std::fill(stamps.begin() + first, stamps.begin() + block, 0);
      filled = false;
    }
  }
  if (filled && now_of_all != 0) cache.note_fresh(now_of_all, begin / kBlock, last);
}

// The memory of one thread. Only that thread writes to it during a parallel loop.
struct BatchEvaluator::Part {
  // `context`: the deciding thread's; null: the part makes one of its own.
  explicit Part(host::CallContext* context) : calls(context) {
    if (calls == nullptr) {
      owned = std::make_unique<host::CallContext>();
      calls = owned.get();
    }
  }

  std::unique_ptr<host::CallContext> owned;  // of the caller's part: null
  host::CallContext* calls;
  CallColumns columns;
  std::vector<uint8_t> verdicts;
  std::string error;  // of a call that failed, and where
  uint64_t rows = 0;
};

// A filter that is called for the current pod.
struct BatchEvaluator::ActiveFilter {
  size_t index;  // in the profile's filter list
  TemplateHook* state;
  uint64_t stamp;                   // the part that the stamps of all blocks share; 0: not kept
  uint64_t now_of_all;              // see refresh()
  std::vector<uint8_t> by_code;     // over a dictionary: the verdict of each code
  const uint32_t* codes = nullptr;  // over a dictionary: the code of each row
};

// A score that is called for the current pod.
struct BatchEvaluator::ActiveScore {
  TemplateHook* state = nullptr;
  uint64_t stamp = 0;  // as above
  uint64_t now_of_all = 0;
  std::vector<int64_t> by_code;
  const uint32_t* codes = nullptr;
  std::vector<int64_t> raw_rows;    // by row, if raw scores are not kept with the template
  std::vector<int64_t> final_rows;  // by row, after normalising
  int64_t* raw = nullptr;           // by row: in raw_rows, or in the template's cache
};

template <typename Body>
void BatchEvaluator::over_rows(model::Row begin, model::Row end, const Body& body) {
  if (parts_.size() == 1 || end - begin < options_.parallel_from) {
    body(begin, end, *parts_[0]);
    parts_[0]->rows += end - begin;
    return;
  }
  // The tasks are blocks of the grain, which begin at its multiples except for the first.
  const uint32_t grain = options_.grain;
  const uint32_t first = begin / grain, last = (end + grain - 1) / grain;
  options_.workers->arena().execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<uint32_t>(first, last, 1),
        [&](const auto& range) {
          auto slot = static_cast<size_t>(tbb::this_task_arena::current_thread_index());
          BERTH_ASSERT(slot < parts_.size());
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
