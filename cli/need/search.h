#pragma once

// The search for the cheapest nodes with which all pods get one. Each set of nodes that counts was
// tried by scheduling; arithmetic (packing.h) says which to try.

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "cli/need/packing.h"

namespace berth::cli {

// The fate of the pods with some nodes more.
struct TrialResult {
  std::vector<Demand> unbound;  // pods without a node; each kind as of Search::kinds
  std::vector<size_t> kinds;    // of `unbound`, by number
  uint64_t pods = 0;            // sum of `unbound`
  uint64_t work = 0;            // decisions, and nodes that were read
};

struct SearchLimits {
  // Work after which a set that is known to do is not improved any more.
  uint64_t work = 800'000;
  // Sets that are tried one by one, the cheapest first, where there are no more.
  size_t most_listed = 300;
};

struct SearchResult {
  Counts counts;
  std::map<size_t, uint64_t> stuck;  // pods by kind that no added node helps
  bool minimal = false;              // with one node less, of whichever offer, some pod gets none
  bool exact = false;                // nothing cheaper does
  uint64_t unbound = 0;              // pods without a node, those that are stuck included
  Amounts needed;                    // what pods that are not stuck request beyond what is free
  uint64_t trials = 0, work = 0;
  bool interrupted = false;
};

class Search {
 public:
  using Trial = std::function<TrialResult(const Counts&)>;

  // `offers` outlives it. `needed`: what all pods request beyond what is free, by resource.
  // `interrupted`: true once the search is to end with what it has.
  Search(const std::vector<Offer>& offers, Amounts needed, Trial trial, SearchLimits limits,
         std::function<bool()> interrupted)
      : offers_(offers),
        needed_(std::move(needed)),
        trial_(std::move(trial)),
        limits_(limits),
        interrupted_(std::move(interrupted)) {}

  SearchResult run();

 private:
  const TrialResult& at(const Counts& counts);
  bool does(const Counts& counts);
  bool spent() const { return interrupted_() || result_.work >= limits_.work; }
  // Half of the work is for nodes that grow, half for those that shrink.
  bool has_half() const { return !interrupted_() && result_.work < limits_.work / 2; }
  void grow(size_t preferred);
  void grow_by_each_offer();
  Counts packed();
  bool grow_by(const Counts& more);
  bool grow_by_packing();
  bool grow_by_one_offer();
  bool grow_at(size_t offer);
  void keep_stuck();
  void shrink_grown();
  void shrink();
  bool shrink_at(size_t offer);
  void exchange();
  bool exchange_one();
  void list();

  const std::vector<Offer>& offers_;
  Amounts needed_;  // by pods that are not stuck
  const Trial trial_;
  const SearchLimits limits_;
  const std::function<bool()> interrupted_;
  std::map<Counts, TrialResult> tried_;
  size_t preferred_ = SIZE_MAX;  // the offer that arithmetic takes where it can; SIZE_MAX: none
  std::vector<Counts> grown_;    // that leave no more pods than any other
  SearchResult result_;
};

}  // namespace berth::cli
