#pragma once

// Counts per topology domain, with their total and the minimum over the domains that have a node.
// A tally counts pods, or it sums up amounts. Operations of a count take constant time, apart from
// finding the next minimum. Amounts are too large for an index; operations of a sum take the
// logarithm of the number of domains.

#include <cstdint>
#include <map>
#include <vector>

#include "engine/model/columns/column.h"
#include "engine/model/columns/domains.h"

namespace berth::model {

struct TallySummary {
  int64_t total = 0;
  int64_t minimum = 0;  // 0 if there is no domain
  int64_t domains = 0;  // number of domains with a node
};

// What a tally adds up. Numbers of pods are small and not negative. Amounts are any numbers; their
// sums wrap around, as those of nodes do.
enum class Tallied : uint8_t { kPods, kAmounts };

// How many domains with a node have each count.
class CountsOfDomains {
 public:
  explicit CountsOfDomains(Tallied what) : what_(what) {}

  void enter(int64_t count);  // a domain now has this count
  void exit(int64_t count);   // a domain no longer has this count
  // Requires: a domain has the count.
  bool only_one_has(int64_t count) const;
  // The least count of a domain that is not below `from`. Requires: there is one.
  int64_t least(int64_t from) const;
  // The least count above `above`; `end` if no domain has one below that.
  int64_t next(int64_t above, int64_t end) const;

 private:
  Tallied what_;
  std::vector<uint32_t> by_pods_;          // by count
  std::map<int64_t, uint32_t> by_amount_;  // only counts that a domain has
};

// One thread modifies a tally; others may read while it is not modified.
class DomainTally {
 public:
  explicit DomainTally(Arena& arena, Tallied what = Tallied::kPods);

  // The count of a domain; 0 for codes that the tally does not know.
  int64_t count(DomainCode code) const {
    return code < members_.size() ? counts_.values<int64_t>()[code] : 0;
  }
  const Column& counts() const { return counts_; }  // I64 by domain code; code 0 is no domain
  // Columns with one value. Their generation changes only if the value does.
  const Column& total() const { return total_; }
  const Column& minimum() const { return minimum_; }
  const Column& domains() const { return domains_; }
  TallySummary totals() const;

  // Makes room for this code and all below it.
  void reach(DomainCode code);
  // A node joins or leaves the domain. Add its pods after join(), remove them before leave().
  void join(DomainCode code);
  void leave(DomainCode code);
  // Changes a count. Requires: the domain has a node, and its number of pods does not become
  // negative.
  void add(DomainCode code, int64_t difference);

  // The summary after a hypothetical change of one domain. Requires: the domain has a node.
  TallySummary with(DomainCode code, int64_t difference) const;

 private:
  void enter(int64_t count);  // a domain now has this count
  void settle();              // finds the minimum after a domain lost the least count
  void publish();

  Tallied what_;
  Column counts_;                     // I64 by code
  Column total_, minimum_, domains_;  // I64
  std::vector<uint32_t> members_;     // by code: number of nodes
  CountsOfDomains having_;            // of the domains with a node
  TallySummary totals_;
};

}  // namespace berth::model
