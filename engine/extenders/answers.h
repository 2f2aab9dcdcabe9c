#pragma once

// Answers of extenders (k8s.io/kube-scheduler/extender/v1), decoded as Go's json package does:
// keys in any case, unknown keys ignored, null as absent. Each function throws Error for a text
// that is not JSON, or has a value of another type.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::extenders {

using FailedNodes = std::vector<std::pair<std::string, std::string>>;  // name and message

struct AnsweredNode {
  std::string name;
  std::string json;  // the object
};

struct FilterAnswer {
  std::optional<std::vector<AnsweredNode>> nodes;
  std::optional<std::vector<std::string>> node_names;  // absent: null or not there
  FailedNodes failed, failed_for_good;
  std::string error;
};
FilterAnswer read_filter_answer(const std::string& json);

using HostPriorities = std::vector<std::pair<std::string, int64_t>>;
HostPriorities read_priorities(const std::string& json);

struct MetaVictims {
  std::string node;
  std::vector<std::string> uids;
  int64_t violations = 0;
};
std::vector<MetaVictims> read_preemption_answer(const std::string& json);

// The error of a binding; nothing: bound. An answer with an empty error is a success.
[[nodiscard]] std::optional<std::string> read_bind_answer(const std::string& json);

}  // namespace berth::extenders
