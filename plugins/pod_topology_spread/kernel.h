#pragma once

// The arithmetic of spread scores, bit for bit that of kube-scheduler on amd64.

#include <cstddef>
#include <cstdint>

namespace berth::plugins {

// The weight of a topology with that many domains: ln(domains + 2), by the algorithm of Go's
// math.Log, whose last bit differs from the C library's for some numbers.
double topology_weight(int64_t domains);

// For each position that has the label, adds count * weight + extra to its score.
void add_topology(const uint8_t* has_label, const int64_t* counts, double weight, double extra,
                  double* scores, size_t size);

// Rounds half away from zero.
void round_all(const double* scores, int64_t* rounded, size_t size);

}  // namespace berth::plugins
