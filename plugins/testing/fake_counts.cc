#include "plugins/testing/fake_counts.h"

#include <algorithm>

#include "berth/sdk/text.hpp"
#include "plugins/testing/fake_host.h"

namespace berth::plugins::testing {
namespace {

// The handle of `one`: its index in `known`, counted from 1. Appends it if it is new.
template <class T>
uint32_t take(std::vector<T>& known, T one) {
  const auto found = std::find(known.begin(), known.end(), one);
  const auto place = static_cast<uint32_t>(found - known.begin());
  if (found == known.end()) known.push_back(std::move(one));
  return place + 1;
}

// The column id of a query or a match set.
template <std::string (*id)(uint32_t)>
uint32_t column(const berth_host* host, uint32_t of) {
  return FakeHost::of(host).column(id(of));
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
    Query made{
        query->topology_key, {query->terms, query->terms + query->term_count}, {}, query->pods,
        query->flags,        {query->resource.data, query->resource.size}};
    for (uint64_t i = 0; i < query->participant_count; ++i)
      made.participants.push_back(FakeHost::of(host).column_text(query->participants[i]));
    return take(of(host).queries, std::move(made));
  };
  service_.node_counts = column<node_counts>;
  service_.domain_counts = column<domain_counts>;
  service_.total = column<total>;
  service_.minimum = column<minimum>;
  service_.domains = column<domains>;
}

void FakeCounts::offer_match_sets() {
  service_.carry = [](const berth_host* host, const berth_carried_terms* carried) {
    return take(of(host).classes,
                {std::string(sdk::to_view(carried->terms)), carried->factor, carried->flags});
  };
  service_.node_carried = column<node_carried>;
  service_.carriers = column<carriers>;
}

std::string FakeCounts::node_counts(uint32_t query) { return sdk::concat("node.count:", query); }
std::string FakeCounts::domain_counts(uint32_t query) { return sdk::concat("count:", query); }
std::string FakeCounts::total(uint32_t query) { return sdk::concat("count_total:", query); }
std::string FakeCounts::minimum(uint32_t query) { return sdk::concat("count_minimum:", query); }
std::string FakeCounts::domains(uint32_t query) { return sdk::concat("count_domains:", query); }
std::string FakeCounts::node_carried(uint32_t match_set) {
  return sdk::concat("node.carried:", match_set);
}
std::string FakeCounts::carriers(uint32_t match_set) { return sdk::concat("carriers:", match_set); }

}  // namespace berth::plugins::testing
