#pragma once

// Names as Kubernetes makes them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace berth::loadgen {

// Five of the characters of which Kubernetes makes random suffixes. Different for all numbers below
// 27^5 (14 million); the order looks random.
void append_suffix(uint64_t number, std::string& out);

// Decimal, with zeros in front up to `width` digits.
void append_number(uint64_t number, size_t width, std::string& out);

// The digits of numbers of pods that arrive, and of their Jobs: so many, or more.
inline constexpr size_t kPodDigits = 7;

// Of `count` things that are called `name`: the only one has that name, several have their numbers
// behind it ("web-0").
std::string numbered_name(const std::string& name, uint64_t count, uint64_t number);

// Names of things of which each is there once or several times.
class NumberedNames {
 public:
  // A name among these that is taken already; nothing: none is. An empty name is nobody's.
  std::optional<std::string> taken(const std::string& name, uint64_t count) const;
  // Adds them, and says the same; a thing's name with and without numbers is refused, too.
  std::optional<std::string> add(const std::string& name, uint64_t count);

 private:
  std::map<std::string, uint64_t> counts_;
};

// A name's parts about the last dash, if what is behind it is nothing but digits.
struct NumberedName {
  std::string name;
  std::string digits;
};
std::optional<NumberedName> split_number(const std::string& name);

// What stands for a pod template in the name of a ReplicaSet: ten characters.
std::string template_hash(uint64_t bits);

}  // namespace berth::loadgen
