#pragma once

// The API server's syntax of label keys, label values and namespace names, and its messages.
// Source: k8s.io/apimachinery pkg/util/validation. Internal to this module.

#include <string>
#include <string_view>
#include <vector>

namespace berth::ingest {

// All problems of a text; empty if it is valid.
[[nodiscard]] std::vector<std::string> label_key_problems(
    std::string_view key);  // "a qualified name"
[[nodiscard]] std::vector<std::string> label_value_problems(std::string_view value);
[[nodiscard]] std::vector<std::string> namespace_name_problems(
    std::string_view name);  // a DNS-1123 label
// The names of pods, nodes and most other objects: a DNS-1123 subdomain.
[[nodiscard]] std::vector<std::string> object_name_problems(std::string_view name);
// The names of Services: a DNS-1035 label.
[[nodiscard]] std::vector<std::string> service_name_problems(std::string_view name);
// The names of container ports.
[[nodiscard]] std::vector<std::string> port_name_problems(std::string_view name);

}  // namespace berth::ingest
