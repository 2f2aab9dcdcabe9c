#pragma once

// Results of dry runs, by row, kept from one preemption to the next of pods that what-ifs cannot
// tell apart. A preemption then costs the dry runs of rows that changed since.
//
// The memory is bounded: kinds of pods that did not preempt for the longest time are dropped.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "berth/abi/overlay.h"
#include "plugins/default_preemption/dry_run.h"

namespace berth::plugins {

// Reasons of refused dry runs, as numbers.
class ReasonLists {
 public:
  uint32_t number_of(std::vector<std::string> reasons);
  const std::vector<std::string>& operator[](uint32_t number) const { return *lists_[number]; }
  size_t size() const { return lists_.size(); }
  void clear();

 private:
  std::map<std::vector<std::string>, uint32_t> numbers_;
  std::vector<const std::vector<std::string>*> lists_;  // keys of numbers_
};

class KeptRuns {
 public:
  struct Run : DryRun {
    uint32_t list = 0;  // kRefused: number of its reasons, once they were moved
  };

  // Begins a preemption. `kept`: the host's for the call (kind 0: nothing is kept beyond it).
  // `budgets`: generation of the disruption budgets. `rows`: all values of node.row are below.
  void begin(const berth_what_if_kept& kept, uint64_t budgets, size_t rows);

  // The rest is for the preemption that began last. Valid until the next one.
  Run& run(uint32_t row) { return now_->runs[row]; }
  // True if the run of the row is a result that holds.
  bool holds(uint32_t row) const { return now_->stamps[row] == stamp(row); }
  // The run of the row holds from now on.
  void keep(uint32_t row) { now_->stamps[row] = stamp(row); }
  void forget(uint32_t row) { now_->stamps[row] = 0; }
  ReasonLists& reasons() { return now_->reasons; }

 private:
  struct Kind {
    uint64_t number = 0;  // 0: of pods whose results cannot be kept
    uint64_t budgets = 0;
    uint64_t used = 0;  // time of the last use
    // By row. A run of another stamp than the host's is over; its memory is used again. Stamp 0:
    // not tried.
    std::vector<uint64_t> stamps;
    std::vector<Run> runs;
    ReasonLists reasons;

    void clear();
  };

  uint64_t stamp(uint32_t row) const { return stamps_ != nullptr ? stamps_[row] : call_; }
  Kind& find(uint64_t number, size_t rows);

  std::vector<Kind> kinds_;
  Kind* now_ = nullptr;
  const uint64_t* stamps_ = nullptr;
  uint64_t call_ = 0;  // counts preemptions, from 1
};

}  // namespace berth::plugins
