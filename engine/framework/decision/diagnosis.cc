#include "engine/framework/decision/diagnosis.h"

#include <algorithm>

#include "engine/base/text/joined.h"

namespace berth::framework {
namespace {

std::string available(uint64_t nodes) {
  return "0/" + std::to_string(nodes) + " nodes are available:";
}

}  // namespace

std::string fit_error(uint64_t nodes, const ReasonCounts& reasons) {
  std::vector<std::string> parts;
  for (const auto& [reason, count] : reasons) parts.push_back(std::to_string(count) + " " + reason);
  std::sort(parts.begin(), parts.end());
  return available(nodes) + (parts.empty() ? "" : " " + joined(parts, ", ") + ".");
}

std::string fit_error(uint64_t nodes, const std::string& pre_filter_message) {
  return available(nodes) + " " + pre_filter_message + ".";
}

void ReasonCounter::begin(const DecisionContext& cycle) {
  refused_.resize(cycle.profile->filter.size());
  for (std::vector<model::Row>& rows : refused_) rows.clear();
}

CountedReasons ReasonCounter::count(const DecisionContext& cycle,
                                    const SearchResult& search_result) {
  begin(cycle);
  search_result.for_each_row([&](model::Row row) {
    if (search_result.refuser[row] != kFeasible && search_result.refuser[row] != kByExtender)
      divide(search_result, row);
  });
  CountedReasons counted;
  for (size_t i = 0; i < refused_.size(); ++i) {
    if (refused_[i].empty()) continue;
    counted.refusers.insert(static_cast<Refuser>(i + 1));
    groups_.divide(cycle, i, refused_[i]);
    std::vector<uint64_t> sizes(groups_.texts().size());
    for (const uint32_t group : groups_.groups()) ++sizes[group];
    for (size_t group = 0; group < sizes.size(); ++group)
      for (const std::string& text : groups_.texts()[group]) counted.counts[text] += sizes[group];
  }
  return counted;
}

CountedReasons ReasonCounter::count_all(const DecisionContext& cycle,
                                        const SearchResult& search_result) {
  KeptRows* kept = kept_rows(cycle);
  if (kept == nullptr) return count(cycle, search_result);
  const bool good = update(cycle, search_result, *kept);
  CountedReasons counted = kept->reasons.count();
  if (!good) kept->reasons.clear();
  return counted;
}

// False: a plugin failed, and what it said is not kept.
bool ReasonCounter::update(const DecisionContext& cycle, const SearchResult& search_result,
                           KeptRows& kept) {
  KeptReasons& reasons = kept.reasons;
  if (reasons.overgrown()) reasons.clear();
  reasons.resize(cluster_.nodes().rows());
  begin(cycle);
  kept.versions.for_each_since(reasons.seen, [&](model::Row row) { divide(search_result, row); });
  reasons.seen = kept.versions.now();
  bool good = true;
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < refused_.size(); ++i) {
    if (refused_[i].empty()) continue;
    groups_.divide(cycle, i, refused_[i]);
    good &= groups_.good();
    numbers.clear();
    for (const auto& texts : groups_.texts())
      numbers.push_back(reasons.number_of(static_cast<Refuser>(i + 1), texts));
    for (size_t at = 0; at < groups_.rows().size(); ++at)
      reasons.set(groups_.rows()[at], numbers[groups_.groups()[at]]);
  }
  return good;
}

}  // namespace berth::framework
