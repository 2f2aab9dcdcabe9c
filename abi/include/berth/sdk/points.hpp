#pragma once

// The extension points that these headers know, and what else came after ABI 1.0, with the first
// minor version of the ABI that has each. From that follows the lowest host that a plugin needs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "berth/abi/bind.h"
#include "berth/abi/clock.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/external.h"
#include "berth/abi/filter.h"
#include "berth/abi/metrics.h"
#include "berth/abi/observe.h"
#include "berth/abi/overlay.h"
#include "berth/abi/rules.h"
#include "berth/abi/score.h"
#include "berth/abi/signing.h"
#include "berth/abi/worker.h"

namespace berth::sdk {

// The extension points, in the order of kPoints.
enum class Point : uint8_t {
  kPreEnqueue,
  kQueueSort,
  kHints,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kReserve,
  kPermit,
  kPreBind,
  kBind,
  kPostBind,
  kOverlayState,
  kObserve,
};

struct PointInfo {
  std::string_view id;
  uint16_t since_minor;
};

inline constexpr std::array<PointInfo, 15> kPoints{{{BERTH_PRE_ENQUEUE, 0},
                                                    {BERTH_QUEUE_SORT, 0},
                                                    {BERTH_HINTS, 0},
                                                    {BERTH_PRE_FILTER, 0},
                                                    {BERTH_FILTER, 0},
                                                    {BERTH_POST_FILTER, 0},
                                                    {BERTH_PRE_SCORE, 0},
                                                    {BERTH_SCORE, 0},
                                                    {BERTH_RESERVE, 0},
                                                    {BERTH_PERMIT, 0},
                                                    {BERTH_PRE_BIND, 0},
                                                    {BERTH_BIND, 0},
                                                    {BERTH_POST_BIND, 0},
                                                    {BERTH_OVERLAY_STATE, 0},
                                                    {BERTH_OBSERVE, 3}}};

constexpr const PointInfo& info(Point point) { return kPoints[static_cast<size_t>(point)]; }

// The index of a point in kPoints; kPoints.size() if there is none with that id.
constexpr size_t point_index(std::string_view id) {
  size_t i = 0;
  while (i < kPoints.size() && kPoints[i].id != id) ++i;
  return i;
}

// Calls `each` with every id in `points`, a list separated by spaces ("berth.filter/0
// berth.score/0").
template <class Each>
constexpr void for_each_point(std::string_view points, Each&& each) {
  while (!points.empty()) {
    const size_t end = points.find(' ');
    each(points.substr(0, end));
    points = end == std::string_view::npos ? std::string_view{} : points.substr(end + 1);
  }
}

// A column, a family of columns ("node.label:") or a service, and the minor version that brought
// it.
struct Addition {
  std::string_view id;
  uint16_t since_minor;
};

// Those that these headers know. Everything else is there since ABI 1.0.
inline constexpr std::array<Addition, 32> kAdditions{{{BERTH_WORKER_SERVICE, 3},
                                                      {BERTH_CLOCK_SERVICE, 3},
                                                      {BERTH_RANDOM_SERVICE, 3},
                                                      {BERTH_METRICS_SERVICE, 3},
                                                      {BERTH_RULES_SERVICE, 3},
                                                      {BERTH_SIGNING_SERVICE, 3},
                                                      {"pod.group", 3},
                                                      {"pod.group_min_member", 3},
                                                      {"pod.group_created_at", 3},
                                                      {"pod.group_timeout_seconds", 3},
                                                      {"pod.group_placed", 3},
                                                      {"pod.annotation:", 3},
                                                      {"pod.volume_images", 3},
                                                      {"pod.restarts_all_containers", 3},
                                                      {"pod.host_user_namespace", 3},
                                                      {"pod.containers", 3},
                                                      {"pod.container_requests:", 3},
                                                      {"pod.container_limits:", 3},
                                                      {"pod.init_containers", 3},
                                                      {"pod.init_container_requests:", 3},
                                                      {"pod.init_container_limits:", 3},
                                                      {"pod.init_container_restarts", 3},
                                                      {"pod.qos_class", 3},
                                                      {"nominated.pod", 3},
                                                      {"nominated.node", 3},
                                                      {"nominated.namespace", 3},
                                                      {"nominated.priority", 3},
                                                      {"nominated.requests:", 3},
                                                      {"node.declared_features", 3},
                                                      {"event.anti_affinity_matches", 3},
                                                      {BERTH_EXTERNAL_SERVICE, 3},
                                                      {"cluster.epoch:", 3}}};

// The minor version that brought a column, a member of a family, a family ("node.label:*") or a
// service.
constexpr uint16_t since_minor(std::string_view id, std::span<const Addition> additions) {
  const size_t colon = id.find(':');
  const std::string_view name = id.substr(0, colon == id.npos ? colon : colon + 1);
  for (const Addition& addition : additions)
    if (addition.id == name) return addition.since_minor;
  return 0;
}

// The first minor version that has all of `uses`: first the ids of extension points, separated by
// spaces, in one text, then one text for each column and service. An unknown point does not
// compile.
consteval uint16_t minor_needed(std::initializer_list<std::string_view> uses,
                                std::span<const Addition> additions = kAdditions) {
  uint16_t minor = 0;
  const auto take = [&minor](uint16_t since) { minor = since > minor ? since : minor; };
  for_each_point(*uses.begin(),
                 [&](std::string_view id) { take(kPoints.at(point_index(id)).since_minor); });
  for (const std::string_view* id = uses.begin() + 1; id != uses.end(); ++id)
    take(since_minor(*id, additions));
  return minor;
}

}  // namespace berth::sdk
