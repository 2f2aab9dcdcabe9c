#pragma once

// A counts service that records queries and counts nothing: a test supplies the columns of queries
// and match sets. Handles are 1, 2, ...; equal requests get the same handle.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/counts.h"

namespace berth::plugins::testing {

class FakeCounts {
 public:
  struct Term {
    uint32_t selector = 0;
    std::vector<uint32_t> namespaces = {};
    uint32_t namespace_selector = 0;

    bool operator==(const Term&) const = default;
  };
  struct Query {
    uint32_t key = 0;
    std::vector<uint32_t> terms = {};
    std::vector<std::string> participants = {};  // column ids
    uint32_t pods = BERTH_COUNTS_EVERY_POD;
    uint32_t flags = 0;
    std::string resource = {};

    bool operator==(const Query&) const = default;
  };
  struct Class {
    std::string terms;
    int64_t factor = 1;
    uint32_t flags = 0;

    bool operator==(const Class&) const = default;
  };

  FakeCounts();
  FakeCounts(const FakeCounts&) = delete;
  FakeCounts& operator=(const FakeCounts&) = delete;

  const berth_counts_service& service() const { return service_; }

  // The requests, in order; handle n is element n - 1.
  std::vector<Term> terms;
  std::vector<Query> queries;
  std::vector<Class> classes;

  // A handle for use in a column pod.carried:CLASS.
  uint32_t add_match_set() { return ++match_sets_; }

  // Column ids.
  static std::string node_counts(uint32_t query);
  static std::string domain_counts(uint32_t query);
  static std::string total(uint32_t query);
  static std::string minimum(uint32_t query);
  static std::string domains(uint32_t query);
  static std::string node_carried(uint32_t match_set);
  static std::string carriers(uint32_t match_set);

 private:
  static FakeCounts& of(const berth_host* host);
  void offer_queries();
  void offer_match_sets();

  berth_counts_service service_{};
  uint32_t match_sets_ = 0;
};

}  // namespace berth::plugins::testing
