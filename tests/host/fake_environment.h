#pragma once

// An environment for plugin instances: an empty cluster, and a log and bindings that record what
// they get.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/host/instance/services/services.h"

namespace berth::host {

class FakeLog final : public LogServices {
 public:
  uint32_t level() const override { return most; }
  void write(uint32_t level, std::string_view plugin, std::string_view text) override {
    lines.push_back(std::to_string(level) + " " + std::string(plugin) + ": " + std::string(text));
  }
  std::vector<std::string> lines;
  uint32_t most = BERTH_LOG_INFO;
};

class FakeBindings final : public BindingServices {
 public:
  bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) override {
    if (broken) throw std::runtime_error("no more room");
    for (size_t i = 0; i < pods.size(); ++i) {
      if (pods[i] == refused) return false;
      written.emplace_back(pods[i], nodes[i]);
    }
    return good;
  }
  std::vector<std::pair<uint64_t, uint32_t>> written;
  bool good = true;
  uint64_t refused = 0;  // a handle that is none of the call's
  bool broken = false;
};

struct FakeEnvironment {
  model::Cluster cluster;
  ModelServices model{cluster};
  FakeLog log;
  FakeBindings bindings;
  HookTable hooks;
  CallContext calls;
  Moment moment{.seed = 7, .now = 1'700'000'000'000'000'000, .decision = 0};
  Metrics metrics;
  External external;
  Environment environment{.model = model,
                          .bindings = &bindings,
                          .log = log,
                          .hooks = hooks,
                          .cycle = &calls,
                          .threads = 2,
                          .moment = &moment,
                          .metrics = &metrics,
                          .external = &external};
};

}  // namespace berth::host
