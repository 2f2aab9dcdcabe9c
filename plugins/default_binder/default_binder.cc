#include "plugins/default_binder/default_binder.h"

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
    const std::span<uint8_t> run = codes.subspan(begin, end - begin);
    bindings_.write(pods.subspan(begin, run.size()), nodes.subspan(begin, run.size()), run);
    for (const uint8_t code : run)
      if (code != BERTH_SUCCESS) call.error().write("the host could not write the binding");
    begin = end;
  }
}

}  // namespace berth::plugins
