#include "plugins/default_binder/default_binder.h"

#include <algorithm>

namespace berth::plugins {

void DefaultBind::bind(const Call& call, std::span<uint8_t> codes) const {
  const auto pods = call[pod_handle_];
  const auto nodes = call[node_name_];
  // Writes each run of consecutive wanted positions with one call, without copying. Usually one run
  // covers all.
  for (size_t begin = 0; begin < codes.size();) {
    if (!call.wanted(begin)) {
      ++begin;
      continue;
    }
    size_t end = begin + 1;
    while (end < codes.size() && call.wanted(end)) ++end;
    const berth_code code =
        bindings_.write(pods.subspan(begin, end - begin), nodes.subspan(begin, end - begin));
    if (code != BERTH_SUCCESS) call.error().write("the host could not write the binding");
    std::fill(codes.begin() + static_cast<ptrdiff_t>(begin),
              codes.begin() + static_cast<ptrdiff_t>(end),
              static_cast<uint8_t>(code == BERTH_SUCCESS ? BERTH_SUCCESS : BERTH_ERROR));
    begin = end;
  }
}

}  // namespace berth::plugins
