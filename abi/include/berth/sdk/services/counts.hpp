#pragma once

// The counts service (berth/abi/counts.h): numbers of pods per topology domain.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "berth/abi/counts.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

// Counts pods in each domain of a topology key. The default counts all pods, over all nodes that
// have the key.
struct CountQuery {
  uint32_t key = 0;                         // string id; 0: each node is a domain of its own
  std::vector<uint32_t> terms = {};         // handles; a pod counts if it matches all of them
  std::vector<uint32_t> participants = {};  // column ids of U8 columns of nodes
  uint32_t pods = BERTH_COUNTS_EVERY_POD;
  uint32_t flags = 0;
  std::string_view resource = {};  // pods count as what they request of it; empty: each as one
};

class Counts : Service<berth_counts_service> {
 public:
  Counts() = default;
  explicit Counts(Host host) : Service(host, BERTH_COUNTS_SERVICE) {}

  // [init] [cycle] Handles of a term and of a query. Throw Failure if the host rejects it.
  uint32_t term(uint32_t selector, std::span<const uint32_t> namespaces,
                uint32_t namespace_selector = 0) const {
    const berth_pod_term raw{sizeof raw,        selector,           namespaces.data(),
                             namespaces.size(), namespace_selector, 0};
    return known(table_->term(host_, &raw));
  }
  uint32_t query(const CountQuery& query) const {
    if (!query.resource.empty() && host_->abi_minor < 3)
      internal::fail("hosts before ABI 1.3 cannot sum up what pods request");
    const berth_count_query raw{sizeof raw,
                                query.key,
                                query.terms.data(),
                                query.terms.size(),
                                query.participants.data(),
                                query.participants.size(),
                                query.pods,
                                query.flags,
                                to_abi(query.resource)};
    return known(table_->query(host_, &raw));
  }
  // Column ids, for Preparation::add<int64_t>.
  uint32_t node_counts(uint32_t query) const { return table_->node_counts(host_, query); }
  uint32_t domain_counts(uint32_t query) const { return table_->domain_counts(host_, query); }
  uint32_t total(uint32_t query) const { return table_->total(host_, query); }
  uint32_t minimum(uint32_t query) const { return table_->minimum(host_, query); }
  uint32_t domains(uint32_t query) const { return table_->domains(host_, query); }

  // [init] The class whose match sets are in the column pod.carried:CLASS. Throws Failure if the
  // host rejects it.
  uint32_t carry(std::string_view terms, int64_t factor, uint32_t flags) const {
    const berth_carried_terms raw{sizeof raw, flags, to_abi(terms), factor};
    return known(table_->carry(host_, &raw));
  }
  // [cycle] Column ids. Require a match set other than 0.
  uint32_t node_carried(uint32_t match_set) const { return table_->node_carried(host_, match_set); }
  uint32_t carriers(uint32_t match_set) const { return table_->carriers(host_, match_set); }

 private:
  static uint32_t known(uint32_t handle) {
    if (handle == 0)
      internal::fail("the host refused a term or query to count; its log has the reason");
    return handle;
  }
};

}  // namespace berth::sdk
