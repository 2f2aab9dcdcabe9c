#include "engine/host/run/external.h"

#include <algorithm>

namespace berth::host {

uint32_t InstanceEpochs::name(uint32_t column) {
  BERTH_ASSERT(column != 0);
  const auto known = std::ranges::find(columns_, column);
  if (known != columns_.end()) return static_cast<uint32_t>(known - columns_.begin()) + 1;
  if (columns_.size() == kMost) return 0;
  columns_.push_back(column);
  const auto named = static_cast<uint32_t>(columns_.size());
  named_.store(named, std::memory_order_release);
  return named;
}

InstanceEpochs& External::add(std::string profile, std::string plugin) {
  return *instances_.emplace_back(
      std::make_unique<InstanceEpochs>(std::move(profile), std::move(plugin), any_));
}

void External::remove(const InstanceEpochs& instance) {
  std::erase_if(instances_, [&](const auto& one) { return one.get() == &instance; });
}

bool External::waits() const {
  return any_.load(std::memory_order_acquire) ||
         std::ranges::any_of(instances_, [](const auto& one) { return one->far_any(); });
}

}  // namespace berth::host
