#pragma once

// Matches tolerations (columns pod.toleration_*) with taints (columns taint_set.*), by the rules of
// k8s.io/api v0.34.1 (core/v1/toleration.go).

#include <cstdint>
#include <vector>

#include "berth/sdk/hook.hpp"

namespace berth::sdk {

// Members are string ids.
struct Taint {
  uint32_t key = 0;
  uint32_t value = 0;
  uint32_t effect = 0;
};

// String ids of the words used in taints and tolerations. Make it at init.
struct TaintWords {
  TaintWords() = default;
  explicit TaintWords(const Strings& strings)
      : equal(strings.intern("Equal")),
        exists(strings.intern("Exists")),
        no_schedule(strings.intern("NoSchedule")),
        no_execute(strings.intern("NoExecute")),
        prefer_no_schedule(strings.intern("PreferNoSchedule")) {}

  uint32_t equal = 0;
  uint32_t exists = 0;
  uint32_t no_schedule = 0;
  uint32_t no_execute = 0;
  uint32_t prefer_no_schedule = 0;
};

// The inputs of a hook that reads tolerations.
struct TolerationInputs {
  explicit TolerationInputs(Declaration& hook)
      : keys(hook, "pod.toleration_keys"),
        operators(hook, "pod.toleration_operators"),
        values(hook, "pod.toleration_values"),
        effects(hook, "pod.toleration_effects") {}

  ListInput<uint32_t> keys, operators, values, effects;
};

// The tolerations of one pod.
class Tolerations {
 public:
  Tolerations() = default;
  Tolerations(const Columns& pod, const TolerationInputs& inputs, const TaintWords& words) {
    const auto keys = pod.one(inputs.keys);
    const auto operators = pod.one(inputs.operators);
    const auto values = pod.one(inputs.values);
    const auto effects = pod.one(inputs.effects);
    for (size_t i = 0; i < keys.size(); ++i) {
      const bool exists = operators[i] == words.exists;
      const bool equal = operators[i] == 0 || operators[i] == words.equal;
      // Any other operator tolerates nothing.
      if (exists || equal) all_.push_back({{keys[i], values[i], effects[i]}, exists});
    }
  }

  bool tolerate(const Taint& taint) const {
    for (const auto& [pattern, any_value] : all_)
      if ((pattern.effect == 0 || pattern.effect == taint.effect) &&
          (pattern.key == 0 || pattern.key == taint.key) &&
          (any_value || pattern.value == taint.value))
        return true;
    return false;
  }

 private:
  struct One {
    Taint pattern;  // key and effect 0: any
    bool any_value;
  };
  std::vector<One> all_;
};

}  // namespace berth::sdk
