#pragma once

// The arithmetic of spread scores, to the bit as kube-scheduler does it on amd64.

#include <cstddef>
#include <cstdint>

namespace berth::plugins {

// The weight of a topology with that many domains: ln(domains + 2), by the algorithm of Go's
// math.Log, whose last bit is not everywhere that of the C library.
double topology_weight(int64_t domains);

// Adds to the score of each position what a topology gives where the node has its label:
// count * weight + extra.
void add_topology(const uint8_t* has_label, const int64_t* counts, double weight, double extra,
                  double* scores, size_t size);

// Rounds half away from zero.
void round_all(const double* scores, int64_t* rounded, size_t size);

}  // namespace berth::plugins
