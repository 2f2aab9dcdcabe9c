#pragma once

// The arithmetic of spread scores, to the bit as kube-scheduler does it on amd64.

#include <cstddef>
#include <cstdint>

namespace berth::plugins {

// The weight of a topology with that many domains: ln(domains + 2), by the algorithm of Go's
// math.Log, whose last bit is not everywhere that of the C library.
double topology_weight(int64_t domains);

// Adds to the score of each position what a topology gives where the node has a domain (one other
// than 0): count * weight + extra. By domain, or with `counts` by position.
void add_by_domain(const uint32_t* domains, const int64_t* counts, double weight, double extra,
                   double* scores, size_t size);
void add_by_node(const uint32_t* domains, const int64_t* counts, double weight, double extra,
                 double* scores, size_t size);

// Rounds half away from zero.
void round_all(const double* scores, int64_t* rounded, size_t size);

}  // namespace berth::plugins
