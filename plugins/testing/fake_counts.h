#pragma once

// A counts service that remembers what was asked of it, and counts nothing: the columns of its
// queries and match sets are the test's to give. Handles follow on each other from 1, and equal
// things are one.

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
    std::vector<std::string> participants = {};  // ids
    uint32_t pods = BERTH_COUNTS_EVERY_POD;
    uint32_t flags = 0;

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

  // What was asked for; a handle is the place, from 1.
  std::vector<Term> terms;
  std::vector<Query> queries;
  std::vector<Class> classes;

  // A match set with these topology keys (string ids), for a column pod.carried:CLASS.
  uint32_t add_match_set(std::vector<uint32_t> keys);

  // Ids of columns.
  std::string counts(uint32_t query) const;  // "node.count:" or "count:"
  static std::string summary(uint32_t query);
  static std::string sum(uint32_t match_set, size_t sum);
  static std::string carriers(uint32_t match_set);

 private:
  static FakeCounts& of(const berth_host* host);
  void offer_queries();
  void offer_match_sets();

  berth_counts_service service_{};
  std::vector<std::vector<uint32_t>> match_sets_;  // keys of set i + 1
};

}  // namespace berth::plugins::testing
