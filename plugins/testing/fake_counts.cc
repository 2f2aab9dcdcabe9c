#include "plugins/testing/fake_counts.h"

#include <algorithm>

#include "berth/sdk/text.hpp"
#include "plugins/testing/fake_host.h"

namespace berth::plugins::testing {
namespace {

// The handle of `one`.
template <class T>
uint32_t take(std::vector<T>& known, T one) {
  const auto found = std::find(known.begin(), known.end(), one);
  const auto place = static_cast<uint32_t>(found - known.begin());
  if (found == known.end()) known.push_back(std::move(one));
  return place + 1;
}

}  // namespace

FakeCounts::FakeCounts() {
  service_.size = sizeof(service_);
  offer_queries();
  offer_match_sets();
}

FakeCounts& FakeCounts::of(const berth_host* host) { return FakeHost::of(host).counts; }

void FakeCounts::offer_queries() {
  service_.term = [](const berth_host* host, const berth_pod_term* term) {
    return take(of(host).terms, {term->selector,
                                 {term->namespaces, term->namespaces + term->namespace_count},
                                 term->namespace_selector});
  };
  service_.query = [](const berth_host* host, const berth_count_query* query) {
    Query made{query->topology_key,
               {query->terms, query->terms + query->term_count},
               {},
               query->pods,
               query->flags};
    for (uint64_t i = 0; i < query->participant_count; ++i)
      made.participants.push_back(FakeHost::of(host).column_text(query->participants[i]));
    return take(of(host).queries, std::move(made));
  };
  service_.counts = [](const berth_host* host, uint32_t query) {
    return FakeHost::of(host).column(of(host).counts(query));
  };
  service_.summary = [](const berth_host* host, uint32_t query) {
    return FakeHost::of(host).column(summary(query));
  };
}

void FakeCounts::offer_match_sets() {
  service_.carry = [](const berth_host* host, const berth_carried_terms* carried) {
    return take(of(host).classes,
                {std::string(sdk::to_view(carried->terms)), carried->factor, carried->flags});
  };
  service_.sums = [](const berth_host* host, uint32_t match_set) {
    return uint64_t{of(host).match_sets_.at(match_set - 1).size()};
  };
  service_.sum_key = [](const berth_host* host, uint32_t match_set, uint64_t sum) {
    return of(host).match_sets_.at(match_set - 1).at(sum);
  };
  service_.sum = [](const berth_host* host, uint32_t match_set, uint64_t at) {
    return FakeHost::of(host).column(sum(match_set, at));
  };
  service_.carriers = [](const berth_host* host, uint32_t match_set) {
    return FakeHost::of(host).column(carriers(match_set));
  };
}

uint32_t FakeCounts::add_match_set(std::vector<uint32_t> keys) {
  match_sets_.push_back(std::move(keys));
  return static_cast<uint32_t>(match_sets_.size());
}

std::string FakeCounts::counts(uint32_t query) const {
  return sdk::concat(queries.at(query - 1).key == 0 ? "node.count:" : "count:", query);
}

std::string FakeCounts::summary(uint32_t query) { return sdk::concat("count_summary:", query); }

std::string FakeCounts::sum(uint32_t match_set, size_t sum) {
  return sdk::concat("carried:", match_set, ".", sum);
}

std::string FakeCounts::carriers(uint32_t match_set) { return sdk::concat("carriers:", match_set); }

}  // namespace berth::plugins::testing
