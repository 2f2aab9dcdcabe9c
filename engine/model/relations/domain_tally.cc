#include "engine/model/relations/domain_tally.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/saturate.h"

namespace berth::model {

void CountsOfDomains::enter(int64_t count) {
  if (what_ == Tallied::kAmounts) {
    ++by_amount_[count];
    return;
  }
  const auto at = static_cast<size_t>(count);
  if (at >= by_pods_.size()) by_pods_.resize(at + 1);
  ++by_pods_[at];
}

void CountsOfDomains::exit(int64_t count) {
  if (what_ == Tallied::kAmounts) {
    const auto at = by_amount_.find(count);
    BERTH_ASSERT(at != by_amount_.end());
    if (--at->second == 0) by_amount_.erase(at);
    return;
  }
  uint32_t& domains = by_pods_[static_cast<size_t>(count)];
  BERTH_ASSERT(domains != 0);
  --domains;
}

bool CountsOfDomains::only_one_has(int64_t count) const {
  return (what_ == Tallied::kAmounts ? by_amount_.at(count)
                                     : by_pods_[static_cast<size_t>(count)]) == 1;
}

int64_t CountsOfDomains::least(int64_t from) const {
  if (what_ == Tallied::kAmounts) return by_amount_.lower_bound(from)->first;
  while (by_pods_[static_cast<size_t>(from)] == 0) ++from;
  return from;
}

int64_t CountsOfDomains::next(int64_t above, int64_t end) const {
  if (what_ == Tallied::kAmounts) {
    const auto at = by_amount_.upper_bound(above);
    return at == by_amount_.end() ? end : std::min(end, at->first);
  }
  int64_t next = above + 1;
  while (next < end &&
         (static_cast<size_t>(next) >= by_pods_.size() || by_pods_[static_cast<size_t>(next)] == 0))
    ++next;
  return next;
}

DomainTally::DomainTally(Arena& arena, Tallied what)
    : what_(what),
      counts_(arena, BERTH_I64, false),
      total_(arena, BERTH_I64, false),
      minimum_(arena, BERTH_I64, false),
      domains_(arena, BERTH_I64, false),
      having_(what) {
  for (Column* one : {&total_, &minimum_, &domains_}) one->resize(1);
  reach(0);
}

TallySummary DomainTally::totals() const { return totals_; }

void DomainTally::reach(DomainCode code) {
  if (code < members_.size()) return;
  members_.resize(code + 1);
  counts_.resize(code + 1);
  counts_.touch();
}

void DomainTally::enter(int64_t count) {
  having_.enter(count);
  if (totals_.domains == 0 || count < totals_.minimum) totals_.minimum = count;
}

void DomainTally::settle() {
  if (totals_.domains == 0) {
    totals_.minimum = 0;
    return;
  }
  totals_.minimum = having_.least(totals_.minimum);
}

void DomainTally::publish() {
  auto show = [](Column& column, int64_t value) {
    int64_t& shown = column.values<int64_t>()[0];
    if (shown == value) return;
    shown = value;
    column.touch();
  };
  show(total_, totals_.total);
  show(minimum_, totals_.minimum);
  show(domains_, totals_.domains);
}

void DomainTally::join(DomainCode code) {
  reach(code);
  if (++members_[code] != 1) return;
  enter(0);
  ++totals_.domains;
  publish();
}

void DomainTally::leave(DomainCode code) {
  BERTH_ASSERT(code < members_.size() && members_[code] != 0);
  if (--members_[code] != 0) return;
  const int64_t count = counts_.values<int64_t>()[code];
  BERTH_ASSERT(count == 0);
  --totals_.domains;
  having_.exit(count);
  settle();
  publish();
}

void DomainTally::add(DomainCode code, int64_t difference) {
  if (difference == 0) return;
  int64_t& count = counts_.values<int64_t>()[code];
  const int64_t before = count;
  count = wrapping_sum(count, difference);
  BERTH_ASSERT(members_[code] != 0 && (count >= 0 || what_ == Tallied::kAmounts));
  // Insert before removing, so that there is a count while the minimum is sought.
  enter(count);
  having_.exit(before);
  settle();
  totals_.total = wrapping_sum(totals_.total, difference);
  counts_.touch();
  publish();
}

TallySummary DomainTally::with(DomainCode code, int64_t difference) const {
  TallySummary changed = totals_;
  if (difference == 0) return changed;
  BERTH_ASSERT(code < members_.size() && members_[code] != 0);
  const int64_t before = count(code);
  const int64_t now = wrapping_sum(before, difference);
  changed.total = wrapping_sum(changed.total, difference);
  if (now <= changed.minimum) {
    changed.minimum = now;
  } else if (before == changed.minimum && having_.only_one_has(before)) {
    changed.minimum = having_.next(before, now);
  }
  return changed;
}

}  // namespace berth::model
