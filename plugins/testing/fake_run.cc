#include "plugins/testing/fake_run.h"

#include <algorithm>

#include "berth/sdk/text.hpp"
#include "plugins/testing/fake_host.h"

namespace berth::plugins::testing {

struct FakeRunFunctions {
  static FakeRun& of(const berth_host* host) { return FakeHost::of(host).run; }

  static void* scratch(const berth_host* host, uint64_t bytes) {
    auto& memory = of(host).scratch_;
    memory.resize(std::max<size_t>(memory.size(), bytes + 64));
    return memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) % 64;
  }
  static uint32_t make(const berth_host* host, berth_string name, berth_string) {
    FakeRun& self = of(host);
    const std::string text(sdk::to_view(name));
    const auto known = std::ranges::find(self.metric_names, text);
    if (known == self.metric_names.end()) {
      self.metric_names.push_back(text);
      self.metrics[text] = 0;
      return static_cast<uint32_t>(self.metric_names.size());
    }
    return static_cast<uint32_t>(known - self.metric_names.begin()) + 1;
  }
  static uint32_t epoch(const berth_host* host, berth_string name) {
    if (name.size == 0) return 0;
    of(host).epochs.emplace_back(sdk::to_view(name));
    return static_cast<uint32_t>(of(host).epochs.size());
  }
  static int64_t& value(const berth_host* host, uint32_t handle) {
    return of(host).metrics.at(of(host).metric_names.at(handle - 1));
  }
};

const void* FakeRun::service(std::string_view id) {
  using Functions = FakeRunFunctions;
  static constexpr berth_worker_service kWorker = {
      sizeof kWorker, 0, [](const berth_host*) { return 1u; }, [](const berth_host*) { return 0u; },
      Functions::scratch};
  static constexpr berth_clock_service kClock = {
      sizeof kClock, 0, [](const berth_host* host) { return Functions::of(host).now; }};
  static constexpr berth_random_service kRandom = {
      sizeof kRandom, 0,
      [](const berth_host* host, uint64_t stream) { return Functions::of(host).random + stream; }};
  static constexpr berth_metrics_service kMetrics = {
      sizeof kMetrics,
      0,
      Functions::make,
      Functions::make,
      [](const berth_host* host, uint32_t handle, uint64_t delta) {
        Functions::value(host, handle) += static_cast<int64_t>(delta);
      },
      [](const berth_host* host, uint32_t handle, int64_t to) {
        Functions::value(host, handle) = to;
      }};
  static constexpr berth_rules_service kRules = {
      sizeof kRules, 0,
      [](const berth_host* host, berth_string name) -> int32_t {
        return Functions::of(host).rules.contains(sdk::to_view(name)) ? BERTH_RULE_YES
                                                                      : BERTH_RULE_NO;
      },
      [](const berth_host* host, berth_string* text) {
        *text = sdk::to_abi(Functions::of(host).version);
      }};
  static constexpr berth_signing_service kSigning = {
      sizeof kSigning, 0,
      [](const berth_host* host, uint64_t parts, uint64_t without) -> berth_code {
        Functions::of(host).signing = {parts, without};
        return BERTH_SUCCESS;
      },
      [](const berth_host*, berth_string) -> berth_code { return BERTH_SUCCESS; }};
  static constexpr berth_external_service kExternal = {
      sizeof kExternal, 0, Functions::epoch,
      [](const berth_host* host, uint32_t epoch) {
        FakeRun& self = Functions::of(host);
        self.raised.push_back(self.epochs.at(epoch - 1));
      },
      [](const berth_host* host) { ++Functions::of(host).wakes; }};
  if (id == BERTH_EXTERNAL_SERVICE) return &kExternal;
  if (id == BERTH_SIGNING_SERVICE) return &kSigning;
  if (id == BERTH_RULES_SERVICE) return &kRules;
  if (id == BERTH_WORKER_SERVICE) return &kWorker;
  if (id == BERTH_CLOCK_SERVICE) return &kClock;
  if (id == BERTH_RANDOM_SERVICE) return &kRandom;
  if (id == BERTH_METRICS_SERVICE) return &kMetrics;
  return nullptr;
}

}  // namespace berth::plugins::testing
