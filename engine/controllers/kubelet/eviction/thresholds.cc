#include "engine/controllers/kubelet/eviction/thresholds.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/text/go_duration.h"

namespace berth::controllers::kubelet {
namespace {

[[noreturn]] void refuse(std::string_view setting, std::string_view signal, std::string_view value,
                         std::string_view expected) {
  throw Error(fmt::format("{}[{}] is \"{}\"; expected {}", setting, signal, value, expected));
}

Signal known_signal(std::string_view setting, std::string_view name) {
  const std::optional<Signal> signal = signal_named(name);
  if (!signal)
    throw Error(
        fmt::format("{}[{}]: there is no such signal; expected one such as "
                    "\"memory.available\"",
                    setting, name));
  return *signal;
}

// A percentage is a 32-bit number, and so is a hundredth of it. Nothing: it is no number.
std::optional<float> part_of(std::string_view percentage) {
  while (percentage.ends_with('%')) percentage.remove_suffix(1);
  if (percentage.starts_with('+')) percentage.remove_prefix(1);
  float number = 0;
  const char* end = percentage.data() + percentage.size();
  const auto [at, fault] = std::from_chars(percentage.data(), end, number);
  if (fault != std::errc() || at != end || !std::isfinite(number)) return std::nullopt;
  return number / 100;
}

std::optional<ThresholdValue> threshold_value(std::string_view setting, std::string_view signal,
                                              std::string_view text) {
  if (text == "0%" || text == "100%") return std::nullopt;
  if (text.ends_with('%')) {
    const std::optional<float> part = part_of(text);
    if (!part || *part < 0 || *part > 1) refuse(setting, signal, text, "0% to 100%");
    return *part;
  }
  const std::optional<Amount> amount = Amount::parse(text);
  if (!amount || amount->quantity.negative() || amount->quantity.zero())
    refuse(setting, signal, text, "a quantity above 0 or a percentage");
  return *amount;
}

ThresholdValue reclaim_value(std::string_view signal, std::string_view text) {
  constexpr std::string_view kSetting = "evictionMinimumReclaim";
  if (text.ends_with('%')) {
    const std::optional<float> part = part_of(text);
    if (!part || *part <= 0) refuse(kSetting, signal, text, "a percentage above 0%");
    return *part;
  }
  const std::optional<Amount> amount = Amount::parse(text);
  if (!amount || amount->quantity.negative())
    refuse(kSetting, signal, text, "a quantity or a percentage");
  return *amount;
}

void add_thresholds(std::string_view setting, const model::StringMap& values,
                    std::vector<Threshold>& list) {
  for (const auto& [name, text] : values) {
    const Signal signal = known_signal(setting, name);
    if (const auto value = threshold_value(setting, name, text))
      list.push_back({.signal = signal, .value = *value});
  }
}

BySignal<std::optional<Time>> grace_periods(const model::StringMap& values) {
  constexpr std::string_view kSetting = "evictionSoftGracePeriod";
  BySignal<std::optional<Time>> periods{};
  for (const auto& [name, text] : values) {
    const Signal signal = known_signal(kSetting, name);
    const std::optional<int64_t> period = parse_duration(text);
    if (!period || *period < 0) refuse(kSetting, name, text, "a duration such as \"1m30s\"");
    periods[signal] = Time(*period);
  }
  return periods;
}

void add_soft_thresholds(const ThresholdSettings& settings, std::vector<Threshold>& list) {
  const size_t hard = list.size();
  add_thresholds("evictionSoft", settings.soft, list);
  const auto periods = grace_periods(settings.soft_grace);
  for (const auto& [name, text] : settings.soft)
    if (const Signal signal = known_signal("evictionSoft", name);
        !periods[signal] && text != "0%" && text != "100%")
      throw Error(
          fmt::format("evictionSoft[{}] has no grace period; expected one in "
                      "evictionSoftGracePeriod",
                      name));
  for (size_t i = hard; i < list.size(); ++i) list[i].grace = *periods[list[i].signal];
}

// The signal of the filesystem with the writable layers.
Signal source_of(Signal container_signal, Filesystems filesystems) {
  const bool inodes = container_signal == Signal::kContainerFsInodesFree;
  if (filesystems == Filesystems::kImages)
    return inodes ? Signal::kImageFsInodesFree : Signal::kImageFsAvailable;
  return inodes ? Signal::kNodeFsInodesFree : Signal::kNodeFsAvailable;
}

bool of_containers(const Threshold& threshold) {
  return threshold.signal == Signal::kContainerFsAvailable ||
         threshold.signal == Signal::kContainerFsInodesFree;
}

bool has_threshold(const std::vector<Threshold>& list, Signal signal, bool hard) {
  for (const Threshold& one : list)
    if (one.signal == signal && one.hard() == hard) return true;
  return false;
}

// The last one counts: a soft threshold without a grace period is a hard one.
std::optional<Threshold> derived(const std::vector<Threshold>& configured, Signal signal, bool hard,
                                 Filesystems filesystems) {
  std::optional<Threshold> found;
  for (const Threshold& one : configured)
    if (one.signal == source_of(signal, filesystems) && one.hard() == hard) found = one;
  if (found) found->signal = signal;
  return found;
}

}  // namespace

Amount amount_of(const ThresholdValue& value, int64_t capacity) {
  if (const Amount* amount = std::get_if<Amount>(&value)) return *amount;
  const double part = std::get<float>(value);
  return Amount::bytes(static_cast<int64_t>(static_cast<double>(capacity) * part));
}

model::StringMap default_hard_thresholds() {
  return {{"imagefs.available", "15%"},
          {"imagefs.inodesFree", "5%"},
          {"memory.available", "100Mi"},
          {"nodefs.available", "10%"},
          {"nodefs.inodesFree", "5%"}};
}

std::vector<Threshold> parse_thresholds(const ThresholdSettings& settings) {
  std::vector<Threshold> list;
  add_thresholds("evictionHard", settings.hard, list);
  add_soft_thresholds(settings, list);
  for (const auto& [name, text] : settings.minimum_reclaim) {
    const Signal signal = known_signal("evictionMinimumReclaim", name);
    const ThresholdValue value = reclaim_value(name, text);
    for (Threshold& one : list)
      if (one.signal == signal) one.minimum_reclaim = value;
  }
  if (!settings.enforce_pods) return list;
  for (size_t i = 0, configured = list.size(); i < configured; ++i) {
    if (list[i].signal != Signal::kMemoryAvailable || !list[i].hard()) continue;
    list.push_back(list[i]);
    list.back().signal = Signal::kAllocatableMemoryAvailable;
  }
  return list;
}

NodeThresholds with_container_filesystem(const std::vector<Threshold>& configured,
                                         Filesystems filesystems) {
  NodeThresholds made;
  for (const Threshold& one : configured) {
    if (!of_containers(one)) {
      made.all.push_back(one);
    } else if (const auto own = derived(configured, one.signal, one.hard(), filesystems)) {
      made.all.push_back(*own);
    }
  }
  made.at_once = made.all.size();
  for (const Signal signal : {Signal::kContainerFsAvailable, Signal::kContainerFsInodesFree})
    for (const bool hard : {true, false}) {
      if (has_threshold(configured, signal, hard)) continue;
      if (const auto own = derived(configured, signal, hard, filesystems)) made.all.push_back(*own);
    }
  return made;
}

}  // namespace berth::controllers::kubelet
