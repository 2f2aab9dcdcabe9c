#include "cli/need/search.h"

#include <algorithm>
#include <utility>

namespace berth::cli {
namespace {

constexpr int kMostDoubled = 6;
// Nodes that cost so many times as much as others are not looked at: shrinking does not make up for
// it.
constexpr double kFarOff = 1.1;

}  // namespace

const TrialResult& Search::at(const Counts& counts) {
  const auto known = tried_.find(counts);
  if (known != tried_.end()) return known->second;
  TrialResult made = trial_(counts);
  ++result_.trials;
  result_.work += made.work;
  return tried_.emplace(counts, std::move(made)).first->second;
}

// True if no more pods are left than those that no node helps.
bool Search::does(const Counts& counts) {
  if (!may_hold(counts, needed_, offers_)) return false;
  const TrialResult& of = at(counts);
  for (size_t i = 0; i < of.unbound.size(); ++i) {
    const auto allowed = result_.stuck.find(of.kinds[i]);
    if (of.unbound[i].pods > (allowed == result_.stuck.end() ? 0 : allowed->second)) return false;
  }
  return true;
}

// False: as many pods as before are left, and the nodes are not added.
bool Search::grow_by(const Counts& more) {
  if (interrupted_()) return false;
  Counts counts = result_.counts;
  for (size_t i = 0; i < counts.size(); ++i)
    counts[i] = std::min(offers_[i].most, counts[i] + more[i]);
  if (counts == result_.counts || at(counts).pods >= at(result_.counts).pods) return false;
  result_.counts = counts;
  return true;
}

// The nodes that arithmetic adds: of the preferred offer, if there is one, for all that it takes.
Counts Search::packed() {
  std::vector<Demand> demands = at(result_.counts).unbound;
  if (preferred_ != SIZE_MAX)
    for (Demand& demand : demands) {
      if (!demand.takes[preferred_]) continue;
      demand.takes.assign(offers_.size(), false);
      demand.takes[preferred_] = true;
    }
  return pack(std::move(demands), offers_, result_.counts);
}

// Scheduling may spread smaller pods over the nodes that were meant for others: then twice as many
// are tried.
bool Search::grow_by_packing() {
  Counts more = packed();
  for (int doubled = 0; doubled <= kMostDoubled && node_count(more) != 0; ++doubled) {
    if (grow_by(more)) return true;
    for (uint64_t& nodes : more) nodes *= 2;
  }
  return false;
}

// Twice as many nodes each time, as long as that helps.
bool Search::grow_at(size_t offer) {
  bool helped = false;
  Counts more(offers_.size());
  for (more[offer] = 1; !interrupted_() && at(result_.counts).pods != 0; more[offer] *= 2) {
    if (!grow_by(more)) break;
    helped = true;
  }
  return helped;
}

// For pods that arithmetic does not place: the cheapest offer that helps.
bool Search::grow_by_one_offer() {
  std::vector<size_t> order(offers_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](size_t i) { return offers_[i].price; });
  return std::ranges::any_of(order, [&](size_t i) { return grow_at(i); });
}

// Keeps the nodes that do, or that leave as few pods as others, for `shrink_grown`. The first time
// it goes on until nothing helps; later as long as the price is not far from the lowest.
void Search::grow(size_t preferred) {
  preferred_ = preferred;
  result_.counts = Counts(offers_.size());
  const bool first = grown_.empty();
  const double dearest = first ? 0 : kFarOff * price_of(grown_.front(), offers_);
  const auto goes_on = [&] {
    // Asked twice: a trial that was interrupted tells nothing to go on with.
    return !interrupted_() && at(result_.counts).pods != 0 && !interrupted_() &&
           (first || (has_half() && price_of(result_.counts, offers_) < dearest));
  };
  while (goes_on())
    if (!grow_by_packing() && !grow_by_one_offer()) break;
  preferred_ = SIZE_MAX;
  if (!first && (interrupted_() || at(result_.counts).pods > at(grown_.front()).pods)) return;
  grown_.push_back(result_.counts);
  if (!first && at(grown_.front()).pods > at(grown_.back()).pods)
    grown_.erase(grown_.begin(), grown_.end() - 1);
}

// Arithmetic fills nodes that scheduling does not: one offer may do better than the mixture.
void Search::grow_by_each_offer() {
  std::vector<std::pair<double, size_t>> order;
  result_.counts = Counts(offers_.size());
  for (preferred_ = 0; preferred_ < offers_.size(); ++preferred_)
    order.emplace_back(price_of(packed(), offers_), preferred_);
  std::ranges::stable_sort(order);
  for (const auto& [price, offer] : order) {
    if (!has_half() || price >= kFarOff * price_of(grown_.front(), offers_)) break;
    grow(offer);
  }
}

// The nodes that grew, the cheapest first: what is left of each once none can go.
void Search::shrink_grown() {
  std::ranges::stable_sort(grown_,
                           [&](const auto& a, const auto& b) { return is_better(a, b, offers_); });
  result_.counts = grown_.front();
  shrink();
  for (size_t i = 1; i < grown_.size() && !spent(); ++i) {
    const Counts best = std::exchange(result_.counts, grown_[i]);
    const bool minimal = std::exchange(result_.minimal, false);
    shrink();
    if (!interrupted_() && is_better(result_.counts, best, offers_)) continue;
    result_.counts = best;
    result_.minimal = minimal;
  }
}

void Search::keep_stuck() {
  const TrialResult& of = at(result_.counts);
  for (size_t i = 0; i < of.unbound.size(); ++i) {
    result_.stuck[of.kinds[i]] += of.unbound[i].pods;
    for (size_t r = 0; r < needed_.size(); ++r)
      needed_[r] -= of.unbound[i].amounts[r] * static_cast<int64_t>(of.unbound[i].pods);
  }
}

// As few nodes of the offer as do: steps that double, then those between.
bool Search::shrink_at(size_t offer) {
  const uint64_t before = result_.counts[offer];
  uint64_t step = 1;
  const auto try_less = [&](uint64_t less) {
    Counts counts = result_.counts;
    counts[offer] -= less;
    if (!does(counts)) return false;
    result_.counts = counts;
    return true;
  };
  while (!spent() && result_.counts[offer] != 0 && try_less(std::min(step, result_.counts[offer])))
    step *= 2;
  for (step /= 2; step != 0 && before != result_.counts[offer]; step /= 2)
    if (!spent() && step <= result_.counts[offer]) try_less(step);
  return result_.counts[offer] != before;
}

// The dearest first, until none can go.
void Search::shrink() {
  std::vector<size_t> order(offers_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return offers_[i].price; });
  bool changed = true;
  while (changed && !spent()) {
    changed = false;
    for (const size_t offer : order) changed |= shrink_at(offer);
  }
  result_.minimal = !changed && !spent();
}

// One node of an offer for one of a cheaper offer.
bool Search::exchange_one() {
  for (size_t from = 0; from < offers_.size(); ++from)
    for (size_t to = 0; to < offers_.size(); ++to) {
      Counts counts = result_.counts;
      if (from == to || counts[from] == 0 || counts[to] >= offers_[to].most) continue;
      --counts[from], ++counts[to];
      if (!is_better(counts, result_.counts, offers_)) continue;
      if (spent()) return false;
      if (!does(counts)) continue;
      result_.counts = counts;
      return true;
    }
  return false;
}

void Search::exchange() {
  while (exchange_one()) shrink();
}

// Where few sets are cheaper, all of them are tried, if that is not too much work.
void Search::list() {
  bool complete = false;
  const std::vector<Counts> better =
      better_counts(result_.counts, needed_, offers_, limits_.most_listed, complete);
  const uint64_t left = limits_.work - std::min(limits_.work, result_.work);
  if (better.size() * at(result_.counts).work > left) return;
  for (const Counts& counts : better) {
    if (interrupted_()) return;
    if (!does(counts)) continue;
    result_.counts = counts;
    result_.exact = result_.minimal = true;
    return;
  }
  result_.exact = complete;
}

SearchResult Search::run() {
  grow(SIZE_MAX);
  if (!interrupted_()) grow_by_each_offer();
  result_.counts = grown_.front();
  if (!interrupted_()) {
    keep_stuck();
    shrink_grown();
    exchange();
    list();
  }
  result_.interrupted = interrupted_();
  result_.needed = needed_;
  if (const auto last = tried_.find(result_.counts); last != tried_.end())
    result_.unbound = last->second.pods;
  return result_;
}

}  // namespace berth::cli
