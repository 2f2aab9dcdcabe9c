#include "engine/explain/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace berth::explain {
namespace {

// Measures how much of a refused node has to change before it takes the pod. The node with the
// smallest distance comes first.
struct Distance {
  bool outside = false;  // PreFilter left the node out, whatever it is like
  size_t refusals = 0;   // by filters
  bool unknown = false;  // no change is known that helps
  size_t changes = 0;    // that help
  double missing = 0;    // the sum of missing amounts, each as a share of the largest of all nodes

  auto key() const { return std::tie(outside, refusals, unknown, changes, missing); }
};

using Largest = std::map<std::string, int64_t, std::less<>>;  // missing amount, by column

Largest largest_missing(const std::vector<Explanation::Node>& nodes) {
  Largest largest;
  for (const Explanation::Node& node : nodes) {
    if (!node.change) continue;
    for (const Explanation::Change& change : *node.change) {
      int64_t& known = largest[change.column];
      known = std::max(known, change.missing.value_or(0));
    }
  }
  return largest;
}

Distance distance_of(const Explanation::Node& node, const Largest& largest) {
  Distance far;
  far.outside = !node.outside.empty();
  far.refusals = static_cast<size_t>(
      std::count_if(node.filters.begin(), node.filters.end(),
                    [](const Explanation::Filter& filter) { return filter.code != 0; }));
  far.unknown = !node.change;
  if (far.unknown) return far;
  far.changes = node.change->size();
  for (const Explanation::Change& change : *node.change) {
    const auto most = static_cast<double>(largest.find(change.column)->second);
    if (change.missing && most > 0) far.missing += static_cast<double>(*change.missing) / most;
  }
  return far;
}

// Equal texts mean equal refusals. Texts are written with their lengths, so no text of a plugin can
// look like two.
std::string refusals_of(const Explanation::Node& node) {
  std::string key;
  const auto add = [&key](const std::string& text) {
    key += fmt::format("{}:{}", text.size(), text);
  };
  add(node.outside);
  for (const Explanation::Filter& filter : node.filters) {
    if (filter.code == 0) continue;
    add(filter.plugin);
    key += fmt::format("{} {} {} {};", filter.code, filter.counting_nominated, filter.reported,
                       filter.reasons.size());
    for (const std::string& reason : filter.reasons) add(reason);
  }
  return key;
}

void sort_nodes(std::vector<Explanation::Node>& nodes) {
  const Largest largest = largest_missing(nodes);
  std::vector<std::pair<Distance, size_t>> order;
  order.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i)
    order.emplace_back(nodes[i].feasible ? Distance{} : distance_of(nodes[i], largest), i);
  std::sort(order.begin(), order.end(), [&nodes](const auto& left, const auto& right) {
    const Explanation::Node& a = nodes[left.second];
    const Explanation::Node& b = nodes[right.second];
    if (a.won != b.won) return a.won;
    if (a.feasible != b.feasible) return a.feasible;
    if (a.scores.empty() != b.scores.empty()) return !a.scores.empty();
    if (!a.scores.empty() && a.total != b.total) return a.total > b.total;
    if (left.first.key() != right.first.key()) return left.first.key() < right.first.key();
    return a.name < b.name;
  });
  std::vector<Explanation::Node> sorted;
  sorted.reserve(nodes.size());
  for (const auto& [far, i] : order) sorted.push_back(std::move(nodes[i]));
  nodes = std::move(sorted);
}

}  // namespace

void order(Explanation& explanation) {
  sort_nodes(explanation.nodes);
  std::unordered_map<std::string, size_t> known;
  for (size_t i = 0; i < explanation.nodes.size(); ++i) {
    Explanation::Node& node = explanation.nodes[i];
    if (node.feasible || (node.filters.empty() && node.outside.empty())) continue;
    const auto [at, fresh] = known.emplace(refusals_of(node), explanation.groups.size());
    if (fresh) explanation.groups.emplace_back();
    node.group = at->second;
    explanation.groups[at->second].nodes.push_back(i);
  }
}

}  // namespace berth::explain
