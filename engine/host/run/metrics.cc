#include "engine/host/run/metrics.h"

#include <algorithm>

#include "engine/base/text/characters.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= PluginMetrics::kLongestName && is_letter(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

uint32_t PluginMetrics::make(Kind kind, std::string_view name, std::string_view help,
                             std::string& problem) {
  const auto quoted = [&] { return "the metric " + in_quotes(name.substr(0, kLongestName)); };
  if (!is_name(name)) {
    problem = quoted() + " was refused: a name has letters, digits and '_', no digit first, and " +
              std::to_string(kLongestName) + " bytes at most";
    return 0;
  }
  const auto known = std::ranges::find(metrics_, name, &Metric::name);
  if (known != metrics_.end()) {
    if (known->kind == kind) return static_cast<uint32_t>(known - metrics_.begin()) + 1;
    problem = quoted() + " was refused: it is a counter and a gauge";
    return 0;
  }
  if (metrics_.size() == kMost) {
    problem = quoted() + " was refused: a plugin has " + std::to_string(kMost) + " at most";
    return 0;
  }
  kinds_[metrics_.size()].store(kind, std::memory_order_relaxed);
  metrics_.push_back({kind, std::string(name), std::string(help)});
  const auto handle = static_cast<uint32_t>(metrics_.size());
  made_.store(handle, std::memory_order_release);  // its kind is there
  return handle;
}

std::optional<PluginMetrics::Kind> PluginMetrics::kind(uint32_t handle) const {
  if (handle == 0 || handle > made_.load(std::memory_order_acquire)) return std::nullopt;
  return kinds_[handle - 1].load(std::memory_order_relaxed);
}

bool PluginMetrics::add(uint32_t handle, uint64_t delta) {
  if (kind(handle) != Kind::kCounter) return false;
  values_[handle - 1].fetch_add(delta, std::memory_order_relaxed);
  return true;
}

bool PluginMetrics::set(uint32_t handle, int64_t value) {
  if (kind(handle) != Kind::kGauge) return false;
  values_[handle - 1].store(static_cast<uint64_t>(value), std::memory_order_relaxed);
  return true;
}

PluginMetrics& Metrics::of(std::string_view plugin) {
  const auto known = std::ranges::find(plugins_, plugin, &Plugin::name);
  if (known != plugins_.end()) return *known->metrics;
  plugins_.push_back({std::string(plugin), std::make_unique<PluginMetrics>()});
  return *plugins_.back().metrics;
}

}  // namespace berth::host
