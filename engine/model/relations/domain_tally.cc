#include "engine/model/relations/domain_tally.h"

#include "engine/base/assert.h"

namespace berth::model {

DomainTally::DomainTally(Arena& arena)
    : counts_(arena, BERTH_I64, false),
      total_(arena, BERTH_I64, false),
      minimum_(arena, BERTH_I64, false),
      domains_(arena, BERTH_I64, false) {
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
  const auto at = static_cast<size_t>(count);
  if (at >= histogram_.size()) histogram_.resize(at + 1);
  ++histogram_[at];
  if (totals_.domains == 0 || count < totals_.minimum) totals_.minimum = count;
}

void DomainTally::exit(int64_t count) {
  uint32_t& domains = histogram_[static_cast<size_t>(count)];
  BERTH_ASSERT(domains != 0);
  --domains;
}

void DomainTally::settle() {
  if (totals_.domains == 0) {
    totals_.minimum = 0;
    return;
  }
  while (histogram_[static_cast<size_t>(totals_.minimum)] == 0) ++totals_.minimum;
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
  exit(count);
  settle();
  publish();
}

void DomainTally::add(DomainCode code, int64_t difference) {
  if (difference == 0) return;
  int64_t& count = counts_.values<int64_t>()[code];
  BERTH_ASSERT(members_[code] != 0 && count + difference >= 0);
  // Insert before removing, so that the histogram is never empty while the minimum is sought.
  const int64_t before = count;
  count += difference;
  enter(count);
  exit(before);
  settle();
  totals_.total += difference;
  counts_.touch();
  publish();
}

TallySummary DomainTally::with(DomainCode code, int64_t difference) const {
  TallySummary changed = totals_;
  if (difference == 0) return changed;
  BERTH_ASSERT(code < members_.size() && members_[code] != 0);
  const int64_t before = count(code);
  const int64_t now = before + difference;
  changed.total += difference;
  if (now <= changed.minimum) {
    changed.minimum = now;
  } else if (before == changed.minimum && histogram_[static_cast<size_t>(before)] == 1) {
    int64_t next = before + 1;
    while (next < now && (static_cast<size_t>(next) >= histogram_.size() ||
                          histogram_[static_cast<size_t>(next)] == 0))
      ++next;
    changed.minimum = next;
  }
  return changed;
}

}  // namespace berth::model
