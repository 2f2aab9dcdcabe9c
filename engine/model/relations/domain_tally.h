#pragma once

// Counts per topology domain with their total, and the minimum over the domains that have a node.

#include <cstdint>
#include <vector>

#include "engine/model/storage/column.h"
#include "engine/model/storage/domains.h"

namespace berth::model {

struct TallySummary {
  int64_t total = 0;
  int64_t minimum = 0;  // 0 if there is no domain
  int64_t domains = 0;
};

class DomainTally {
 public:
  explicit DomainTally(Arena& arena);

  // By code; those that the tally never heard of count 0.
  int64_t count(DomainCode code) const {
    return code < members_.size() ? counts_.values<int64_t>()[code] : 0;
  }
  const Column& counts() const { return counts_; }
  // One value each. A generation changes with the value only.
  const Column& total() const { return total_; }
  const Column& minimum() const { return minimum_; }
  const Column& domains() const { return domains_; }
  TallySummary totals() const;

  // There is a count for this code and those below.
  void reach(DomainCode code);
  // A node of the domain comes to take part, or stops to; its pods are added after and removed
  // before.
  void join(DomainCode code);
  void leave(DomainCode code);
  // Precondition: the domain has a node, and its count stays 0 or more.
  void add(DomainCode code, int64_t difference);

  // How it would be with that much more in one domain that has a node.
  TallySummary with(DomainCode code, int64_t difference) const;

 private:
  void enter(int64_t count);  // a domain has that count from now on
  void exit(int64_t count);
  void settle();  // the minimum after a domain left its count
  void publish();

  Column counts_;                     // I64 by code
  Column total_, minimum_, domains_;  // I64
  std::vector<uint32_t> members_;     // by code: nodes
  std::vector<uint32_t> histogram_;   // by count: domains that have a node and that count
  TallySummary totals_;
};

}  // namespace berth::model
