#pragma once

// Says by which parts of a pod a plugin decides (berth/abi/signing.h). Since ABI 1.3; with a host
// that does not ask, it has no effect.

#include <initializer_list>
#include <string_view>

#include "berth/abi/signing.h"
#include "berth/sdk/plugin.hpp"

namespace berth::sdk {

// [init] `parts`: BERTH_PART_ bits. Pods that have some of `without` cannot be compared. Throws
// Failure for a part that the host does not know.
inline void decides_by(Host host, uint64_t parts, uint64_t without = 0,
                       std::initializer_list<std::string_view> columns = {}) {
  const auto* service = host.find<berth_signing_service>(BERTH_SIGNING_SERVICE);
  if (service == nullptr) return;
  if (service->compares(host.raw(), parts, without) != BERTH_SUCCESS)
    throw Failure("this host cannot compare pods by some part");
  for (const std::string_view column : columns)
    if (service->compares_column(host.raw(), to_abi(column)) != BERTH_SUCCESS)
      throw Failure(concat("this host has no column ", column));
}

// A plugin that consists of these hooks alone and decides by these parts.
template <uint64_t kParts, class... Members>
class HooksBy final : public Hooks<Members...> {
 public:
  void init(Host host, const Config&) override { decides_by(host, kParts); }
};

}  // namespace berth::sdk
