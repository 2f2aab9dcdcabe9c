#pragma once

// The shape of the strategy RequestedToCapacityRatio: a function from a resource's utilisation to a
// score, given by points.

#include <array>
#include <cstdint>
#include <vector>

#include "berth/sdk/config.hpp"

namespace berth::plugins {

struct ShapePoint {
  int64_t utilisation;  // percent
  int64_t score;        // 0..10 as configured
};

// Score 0..100 by utilisation 0..100.
using UtilisationScores = std::array<int64_t, 101>;

// The points of a configured list, in order and unchecked.
std::vector<ShapePoint> read_shape(const sdk::Config& list);

// Reports what is wrong with the points at ".shape" of `config`. True: nothing is.
bool check_shape(const std::vector<ShapePoint>& shape, const sdk::Config& config);

// Interpolates linearly between the points, by kube-scheduler's integer division; outside of them
// the score is that of the nearest point. Precondition: check_shape() returned true.
UtilisationScores interpolate(const std::vector<ShapePoint>& shape);

}  // namespace berth::plugins
