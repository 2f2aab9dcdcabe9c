#include "engine/controllers/workloads/replicas.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <string_view>

#include "engine/base/assert.h"

namespace berth::controllers {
namespace {

Time in_seconds(Time time) { return std::chrono::floor<std::chrono::seconds>(time); }

class Order {
 public:
  Order(std::span<const ReplicaPod> pods, Time now, AgeOrder order)
      : pods_(pods), now_(now), order_(order) {
    if (order == AgeOrder::kNewestFirst) return;
    for (const ReplicaPod& pod : pods)
      if (!pod.node.empty()) ++pods_on_[pod.node];
  }

  // True if the first one goes before the second.
  bool operator()(size_t a, size_t b) const {
    const ReplicaPod &one = pods_[a], &other = pods_[b];
    if (one.node.empty() != other.node.empty()) return one.node.empty();
    if (one.ready_since.has_value() != other.ready_since.has_value()) return !one.ready_since;
    if (order_ == AgeOrder::kLogarithmic && one.deletion_cost != other.deletion_cost)
      return one.deletion_cost < other.deletion_cost;
    if (const int by = rank(one) - rank(other); by != 0) return by > 0;
    if (one.ready_since && differ(*one.ready_since, *other.ready_since))
      return goes_by_age(one, *one.ready_since, other, *other.ready_since);
    return goes_by_age(one, one.created, other, other.created);
  }

 private:
  int rank(const ReplicaPod& pod) const {
    const auto at = pods_on_.find(pod.node);
    return at == pods_on_.end() ? 0 : at->second;
  }
  static bool differ(Time a, Time b) { return in_seconds(a) != in_seconds(b); }
  // True if the first pod goes before the second because it is younger. Ages that are different and
  // count as equal leave it to the names.
  bool goes_by_age(const ReplicaPod& one, Time since, const ReplicaPod& other,
                   Time other_since) const {
    const int by = younger(since, other_since);
    return by != 0 ? by > 0 : one.name < other.name;
  }
  // Positive: the first time is later by as much as counts.
  int younger(Time a, Time b) const {
    a = in_seconds(a), b = in_seconds(b);
    if (order_ == AgeOrder::kNewestFirst || a == b) return a == b ? 0 : a > b ? 1 : -1;
    return width(b) - width(a);
  }
  int width(Time since) const {
    const auto age = (now_ - since).count();
    return age <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<uint64_t>(age)));
  }

  std::span<const ReplicaPod> pods_;
  const Time now_;
  const AgeOrder order_;
  std::map<std::string_view, int> pods_on_;
};

}  // namespace

std::vector<size_t> pods_to_delete(std::span<const ReplicaPod> pods, size_t count, Time now,
                                   AgeOrder order) {
  std::vector<size_t> all;
  for (size_t i = 0; i < pods.size(); ++i)
    if (pods[i].is_own) all.push_back(i);
  BERTH_ASSERT(count <= all.size());
  std::ranges::sort(all, Order(pods, now, order));
  all.resize(count);
  return all;
}

}  // namespace berth::controllers
