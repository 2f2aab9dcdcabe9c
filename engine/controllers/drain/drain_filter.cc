#include "engine/controllers/drain/drain_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth::controllers {

DrainVerdict judge(const DrainPod& pod, const DrainOptions& options) {
  using Kind = DrainVerdict::Kind;
  if (pod.owner_kind == "DaemonSet" && pod.owner_api_version == "apps/v1") {
    if (options.ignore_daemon_sets) return {Kind::kLeave, "ignoring DaemonSet-managed Pods"};
    return {Kind::kRefuse, "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"};
  }
  if (pod.mirror) return {Kind::kLeave};
  if (pod.empty_dir && !options.delete_empty_dir_data)
    return {Kind::kRefuse, "Pods with local storage (use --delete-emptydir-data to override)"};
  if (pod.owner_kind.empty() && !options.force)
    return {Kind::kRefuse, "Pods that declare no controller (use --force to override)"};
  return {Kind::kEvict};
}

std::string drain_refusal(const std::vector<DrainPod>& pods, const DrainOptions& options) {
  std::vector<std::pair<std::string_view, std::string>> refused;  // reason, names
  for (const DrainPod& pod : pods) {
    const DrainVerdict verdict = judge(pod, options);
    if (verdict.kind != DrainVerdict::Kind::kRefuse) continue;
    auto known = std::ranges::find(refused, verdict.reason,
                                   &std::pair<std::string_view, std::string>::first);
    if (known == refused.end())
      refused.emplace_back(verdict.reason, pod.full_name());
    else
      known->second += ", " + pod.full_name();
  }
  std::vector<std::string> errors;
  for (const auto& [reason, names] : refused)
    errors.push_back(fmt::format("cannot delete {}: {}", reason, names));
  return joined_errors(errors);
}

std::string joined_errors(const std::vector<std::string>& errors) {
  std::vector<std::string_view> different;
  for (const std::string& error : errors)
    if (std::ranges::count(different, error) == 0) different.push_back(error);
  if (different.size() == 1) return std::string(different.front());
  return different.empty() ? std::string() : fmt::format("[{}]", fmt::join(different, ", "));
}

}  // namespace berth::controllers
