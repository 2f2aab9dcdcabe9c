#pragma once

// What an API server lets pass as keys and values of labels and as names of namespaces, and what it
// says of others. Source: k8s.io/apimachinery pkg/util/validation. Internal to this module.

#include <string>
#include <string_view>
#include <vector>

namespace berth::ingest {

// All that is wrong with the text; nothing if it may stand there.
std::vector<std::string> label_key_problems(std::string_view key);  // "a qualified name"
std::vector<std::string> label_value_problems(std::string_view value);
std::vector<std::string> namespace_name_problems(std::string_view name);  // a DNS-1123 label

}  // namespace berth::ingest
