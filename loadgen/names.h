#pragma once

// Names as Kubernetes makes them.

#include <cstdint>
#include <string>

namespace berth::loadgen {

// Five of the characters of which Kubernetes makes random suffixes. Different for all numbers below
// 27^5 (14 million); the order looks random.
void append_suffix(uint64_t number, std::string& out);

// Decimal, with zeros in front up to `width` digits.
void append_number(uint64_t number, size_t width, std::string& out);

// What stands for a pod template in the name of a ReplicaSet: ten characters.
std::string template_hash(uint64_t bits);

}  // namespace berth::loadgen
