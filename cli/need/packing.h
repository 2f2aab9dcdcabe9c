#pragma once

// Arithmetic about amounts: how many nodes of several kinds hold pods, as an estimate and as a
// bound from below. Scheduling decides; these numbers only say where to look.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::cli {

// Amounts by number of the resource; cpu in thousandths of a core.
using Amounts = std::vector<int64_t>;

// A kind of node that may be added.
struct Offer {
  std::string name;
  Amounts amounts;   // what pods may request on one node
  double price = 1;  // of one node; not negative
  uint64_t most = UINT32_MAX;
};

// Pods with one request.
struct Demand {
  Amounts amounts;  // of one pod, a pod among them
  uint64_t pods = 0;
  std::vector<bool> takes;     // by offer: a node of it may run such a pod
  std::vector<uint64_t> most;  // by offer: so many on a node at most
};

// Nodes by offer.
using Counts = std::vector<uint64_t>;

double price_of(const Counts& counts, const std::vector<Offer>& offers);
uint64_t node_count(const Counts& counts);
// Cheaper, or as cheap with fewer nodes.
bool is_better(const Counts& a, const Counts& b, const std::vector<Offer>& offers);

// Nodes that hold the pods as far as amounts say, beyond those that are `taken` of each offer. Adds
// the node that holds the most for its price, again and again. Pods that no offer takes are left
// out.
Counts pack(std::vector<Demand> demands, const std::vector<Offer>& offers, const Counts& taken);

// False: the nodes have less of a resource than is needed, so they do not do.
bool may_hold(const Counts& counts, const Amounts& needed, const std::vector<Offer>& offers);

// The bound below which no set of nodes can go if it is to hold what is needed beyond what is free.
struct LowerBound {
  double price = 0;
  uint64_t nodes = 0;
  size_t resource = SIZE_MAX;  // that sets the price; SIZE_MAX: nothing is needed
};
LowerBound bound_of(const Amounts& needed, const std::vector<Offer>& offers);

// All counts that are better than `than`, not below the bound of what is needed, and within the
// offers, the best first; nothing if there are more than `most`.
std::vector<Counts> better_counts(const Counts& than, const Amounts& needed,
                                  const std::vector<Offer>& offers, size_t most, bool& complete);

}  // namespace berth::cli
