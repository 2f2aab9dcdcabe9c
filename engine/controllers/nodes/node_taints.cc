#include "engine/controllers/nodes/node_taints.h"

#include <algorithm>
#include <array>
#include <string>

namespace berth::controllers {
namespace {

constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

struct TaintOfCondition {
  std::string_view type, status, key;
};

constexpr auto kTaintsOfConditions = std::to_array<TaintOfCondition>({
    {"Ready", "False", kNotReady},
    {"Ready", "Unknown", kUnreachable},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
});

auto find_taint(auto& taints, std::string_view key, std::string_view effect) {
  return std::ranges::find_if(taints, [&](const model::Taint& taint) {
    return taint.key == key && taint.effect == effect;
  });
}

bool set_taint(std::vector<model::Taint>& taints, std::string_view key, bool wanted) {
  if (wanted) return !has_taint(taints, key, kNoSchedule) && put_taint(taints, key, kNoSchedule);
  return remove_taint(taints, key, kNoSchedule);
}

}  // namespace

bool has_taint(const std::vector<model::Taint>& taints, std::string_view key,
               std::string_view effect) {
  return find_taint(taints, key, effect) != taints.end();
}

bool put_taint(std::vector<model::Taint>& taints, std::string_view key, std::string_view effect) {
  const model::Taint taint{std::string(key), "", std::string(effect)};
  const auto at = find_taint(taints, key, effect);
  if (at == taints.end()) {
    taints.push_back(taint);
    return true;
  }
  if (*at == taint) return false;
  *at = taint;
  return true;
}

bool remove_taint(std::vector<model::Taint>& taints, std::string_view key,
                  std::string_view effect) {
  const auto at = find_taint(taints, key, effect);
  if (at == taints.end()) return false;
  taints.erase(at);
  return true;
}

bool put_condition_taints(std::vector<model::Taint>& taints,
                          const std::vector<Condition>& conditions, bool unschedulable) {
  bool changed = set_taint(taints, kUnschedulable, unschedulable);
  for (const auto& [type, status, key] : kTaintsOfConditions) {
    const Condition* const condition = find(conditions, type);
    const bool wanted = condition != nullptr && condition->status == status;
    changed = set_taint(taints, key, wanted) || changed;
  }
  return changed;
}

}  // namespace berth::controllers
