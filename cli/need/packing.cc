#include "cli/need/packing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace berth::cli {
namespace {

// Sums of prices differ in their last digits by the order of the sum.
constexpr double kRounding = 1e-9;
constexpr double kNever = std::numeric_limits<double>::infinity();

// The number of pods of these amounts that fit into what is free.
uint64_t times(const Amounts& amounts, const Amounts& free) {
  uint64_t most = UINT64_MAX;
  for (size_t i = 0; i < amounts.size(); ++i)
    if (amounts[i] > 0)
      most = std::min(most, static_cast<uint64_t>(std::max<int64_t>(free[i], 0) / amounts[i]));
  return most;
}

// The part of a node that a pod takes.
double share(const Amounts& amounts, const Amounts& of) {
  double most = 0;
  for (size_t i = 0; i < amounts.size(); ++i)
    if (amounts[i] > 0)
      most = std::max(
          most, of[i] <= 0 ? kNever : static_cast<double>(amounts[i]) / static_cast<double>(of[i]));
  return most;
}

// The pods that one node holds, the large ones first.
struct Fill {
  std::vector<uint64_t> pods;  // by demand
  double worth = 0;            // what these pods cost at the least, were nodes divisible
};

class TrialPacker {
 public:
  TrialPacker(std::vector<Demand> demands, const std::vector<Offer>& offers, const Counts& taken)
      : demands_(std::move(demands)), offers_(offers), counts_(offers.size()) {
    for (size_t i = 0; i < offers.size(); ++i)
      left_.push_back(offers[i].most - std::min(offers[i].most, taken[i]));
    for (const Demand& demand : demands_) worth_.push_back(worth_of(demand));
    for (size_t i = 0; i < offers.size(); ++i) orders_.push_back(order(i));
  }

  Counts pack() {
    while (add()) {
    }
    return counts_;
  }

 private:
  // A price of 0 counts as a small one: nodes for nothing are still to be few.
  static double price(const Offer& offer) { return std::max(offer.price, 1e-9); }

  double worth_of(const Demand& demand) const {
    double least = kNever;
    for (size_t i = 0; i < offers_.size(); ++i)
      if (demand.takes[i])
        least = std::min(least, share(demand.amounts, offers_[i].amounts) * price(offers_[i]));
    return least;
  }

  std::vector<size_t> order(size_t offer) const {
    std::vector<size_t> all;
    for (size_t i = 0; i < demands_.size(); ++i)
      if (demands_[i].takes[offer] && share(demands_[i].amounts, offers_[offer].amounts) <= 1)
        all.push_back(i);
    std::ranges::stable_sort(all, std::greater(), [&](size_t i) {
      return share(demands_[i].amounts, offers_[offer].amounts);
    });
    return all;
  }

  Fill fill(size_t offer) const {
    Fill fill{.pods = std::vector<uint64_t>(demands_.size())};
    Amounts free = offers_[offer].amounts;
    for (const size_t i : orders_[offer]) {
      const Demand& demand = demands_[i];
      const uint64_t pods =
          std::min({demand.pods, demand.most[offer], times(demand.amounts, free)});
      fill.pods[i] = pods;
      fill.worth += static_cast<double>(pods) * worth_[i];
      for (size_t r = 0; r < free.size(); ++r)
        free[r] -= demand.amounts[r] * static_cast<int64_t>(pods);
    }
    return fill;
  }

  // As many nodes as the same pods fill. False: no node holds another pod.
  bool add() {
    size_t best = SIZE_MAX;
    Fill chosen;
    for (size_t i = 0; i < offers_.size(); ++i) {
      if (left_[i] == 0) continue;
      Fill found = fill(i);
      if (std::ranges::all_of(found.pods, [](uint64_t pods) { return pods == 0; })) continue;
      if (best != SIZE_MAX &&
          found.worth * price(offers_[best]) <= chosen.worth * price(offers_[i]))
        continue;
      best = i;
      chosen = std::move(found);
    }
    if (best == SIZE_MAX) return false;
    uint64_t nodes = left_[best];
    for (size_t i = 0; i < demands_.size(); ++i)
      if (chosen.pods[i] != 0) nodes = std::min(nodes, demands_[i].pods / chosen.pods[i]);
    for (size_t i = 0; i < demands_.size(); ++i) demands_[i].pods -= chosen.pods[i] * nodes;
    left_[best] -= nodes;
    counts_[best] += nodes;
    return true;
  }

  std::vector<Demand> demands_;
  const std::vector<Offer>& offers_;
  Counts counts_;
  Counts left_;                              // nodes by offer
  std::vector<double> worth_;                // of one pod, by demand
  std::vector<std::vector<size_t>> orders_;  // demands by offer, the large ones first
};

// Lists counts, offer by offer, within a price and a number.
class Lister {
 public:
  Lister(const Counts& than, const Amounts& needed, const std::vector<Offer>& offers, size_t most)
      : than_(than), needed_(needed), offers_(offers), most_(most), now_(offers.size()) {}

  // False: there are too many.
  bool list() { return next(0, 0); }
  std::vector<Counts> take() {
    std::ranges::sort(found_, [&](const Counts& a, const Counts& b) {
      return is_better(a, b, offers_) || (!is_better(b, a, offers_) && a < b);
    });
    return std::move(found_);
  }

 private:
  // With prices of 0, the number of nodes bounds the search.
  bool next(size_t offer, double price) {
    if (++steps_ > most_ * 100) return false;
    if (offer == offers_.size()) {
      if (!is_better(now_, than_, offers_) || !may_hold(now_, needed_, offers_)) return true;
      found_.push_back(now_);
      return found_.size() <= most_;
    }
    const double highest = price_of(than_, offers_) * (1 + kRounding);
    for (uint64_t count = 0; count <= offers_[offer].most; ++count) {
      const double sum = price + static_cast<double>(count) * offers_[offer].price;
      if (sum > highest || (offers_[offer].price <= 0 && count > node_count(than_))) break;
      now_[offer] = count;
      if (!next(offer + 1, sum)) return false;
    }
    now_[offer] = 0;
    return true;
  }

  const Counts& than_;
  const Amounts& needed_;
  const std::vector<Offer>& offers_;
  const size_t most_;
  Counts now_;
  std::vector<Counts> found_;
  size_t steps_ = 0;
};

}  // namespace

double price_of(const Counts& counts, const std::vector<Offer>& offers) {
  double sum = 0;
  for (size_t i = 0; i < counts.size(); ++i)
    sum += static_cast<double>(counts[i]) * offers[i].price;
  return sum;
}

uint64_t node_count(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

bool is_better(const Counts& a, const Counts& b, const std::vector<Offer>& offers) {
  const double of_a = price_of(a, offers), of_b = price_of(b, offers);
  if (std::abs(of_a - of_b) > kRounding * std::max(of_a, of_b)) return of_a < of_b;
  return node_count(a) < node_count(b);
}

Counts pack(std::vector<Demand> demands, const std::vector<Offer>& offers, const Counts& taken) {
  return TrialPacker(std::move(demands), offers, taken).pack();
}

bool may_hold(const Counts& counts, const Amounts& needed, const std::vector<Offer>& offers) {
  for (size_t r = 0; r < needed.size(); ++r) {
    double sum = 0;
    for (size_t i = 0; i < offers.size(); ++i)
      sum += static_cast<double>(counts[i]) * static_cast<double>(offers[i].amounts[r]);
    if (sum < static_cast<double>(needed[r])) return false;
  }
  return true;
}

LowerBound bound_of(const Amounts& needed, const std::vector<Offer>& offers) {
  LowerBound bound;
  for (size_t r = 0; r < needed.size(); ++r) {
    if (needed[r] <= 0) continue;
    double cheapest = kNever;
    int64_t largest = 0;
    for (const Offer& offer : offers) {
      if (offer.most == 0 || offer.amounts[r] <= 0) continue;
      cheapest = std::min(cheapest, offer.price / static_cast<double>(offer.amounts[r]));
      largest = std::max(largest, offer.amounts[r]);
    }
    if (largest == 0) continue;  // no offer has it: nothing is said
    const double price = cheapest * static_cast<double>(needed[r]);
    if (bound.resource == SIZE_MAX || price > bound.price) {
      bound.price = price;
      bound.resource = r;
    }
    bound.nodes = std::max(bound.nodes, static_cast<uint64_t>((needed[r] - 1) / largest + 1));
  }
  return bound;
}

std::vector<Counts> better_counts(const Counts& than, const Amounts& needed,
                                  const std::vector<Offer>& offers, size_t most, bool& complete) {
  Lister lister(than, needed, offers, most);
  complete = lister.list();
  return complete ? lister.take() : std::vector<Counts>();
}

}  // namespace berth::cli
