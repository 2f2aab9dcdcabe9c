#pragma once

// The points of kube-scheduler v1.36 that place groups of pods. It has them behind gates that are
// off: a configuration may name them, and they are never called. Berth calls none of them.

#include <array>
#include <cstdint>
#include <string_view>

namespace berth::config {

// The numbers are indices of tables in this program.
enum class PlacementPoint : uint8_t { kGenerate, kScore };

struct PlacementPointInfo {
  PlacementPoint point;
  std::string_view key;   // below `plugins` in a configuration
  std::string_view type;  // of the point's plugins in kube-scheduler's messages
};

inline constexpr std::array kPlacementPoints = {
    PlacementPointInfo{PlacementPoint::kGenerate, "placementGenerate", "PlacementGeneratePlugin"},
    PlacementPointInfo{PlacementPoint::kScore, "placementScore", "PlacementScorePlugin"},
};

constexpr size_t index_of(PlacementPoint point) { return static_cast<size_t>(point); }

}  // namespace berth::config
