#pragma once

// The ends of the pods of a record, there and here.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/diff/cause.h"

namespace berth::cli {

struct ReplayedPods {
  // A pod that ends differently. Empty nodes: on none.
  struct Different {
    std::string pod;
    std::string recorded, now;
    std::optional<Cause> cause{};
  };

  uint64_t equal = 0;                // on the same node, or without one in both
  uint64_t elsewhere = 0;            // on another node
  uint64_t lost = 0;                 // on a node in the record alone
  uint64_t won = 0;                  // on a node here alone
  std::vector<Different> different;  // in the order of the record

  void add(std::string pod, std::string_view there, std::string_view here,
           std::optional<Cause> cause = {}) {
    if (there == here) {
      ++equal;
      return;
    }
    ++(here.empty() ? lost : there.empty() ? won : elsewhere);
    different.push_back({std::move(pod), std::string(there), std::string(here), std::move(cause)});
  }
};

}  // namespace berth::cli
