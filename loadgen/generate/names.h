#pragma once

// Object names in the form that Kubernetes gives them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace berth::loadgen {

// Appends five characters from the alphabet of Kubernetes' random suffixes. The suffixes of all
// numbers below 27^5 (14 million) differ; their order looks random.
void append_suffix(uint64_t number, std::string& out);

// Appends the decimal number, with leading zeros up to `width` digits.
void append_number(uint64_t number, size_t width, std::string& out);

// Minimum number of digits in the names of arriving pods and their Jobs.
inline constexpr size_t kPodDigits = 7;

// The name of one of `count` objects that share `name`: `name` itself if it is the only one,
// otherwise the name and the number ("web-0").
std::string numbered_name(const std::string& name, uint64_t count, uint64_t number);

// Detects name collisions between groups of numbered objects.
class NumberedNames {
 public:
  // Returns a name of this group that is already taken, or nullopt. Empty names never collide.
  std::optional<std::string> taken(const std::string& name, uint64_t count) const;
  // Adds the group and returns what taken() returned before.
  std::optional<std::string> add(const std::string& name, uint64_t count);

 private:
  std::map<std::string, uint64_t> counts_;
};

// A name split at its last dash; the part after the dash consists of digits.
struct NumberedName {
  std::string name;
  std::string digits;
};
// Returns nullopt if there is no dash or something other than digits follows it.
std::optional<NumberedName> split_number(const std::string& name);

// A pod-template-hash for the name of a ReplicaSet: ten characters.
std::string template_hash(uint64_t bits);

}  // namespace berth::loadgen
