#include "engine/controllers/nodes/zones.h"

#include "engine/base/assert.h"
#include "engine/model/objects/string_map.h"

namespace berth::controllers {
namespace {

constexpr float kRate = 0.1f, kLargeZoneRate = 0.01f;
constexpr size_t kLargeZone = 50;
constexpr float kUnhealthy = 0.55f;

// The value of the first label that is there.
std::string first_label(const model::StringMap& labels, std::string_view beta,
                        std::string_view stable) {
  const std::string* value = model::value_in(labels, beta);
  if (value == nullptr) value = model::value_in(labels, stable);
  return value == nullptr ? std::string() : *value;
}

}  // namespace

std::string zone_of(const model::StringMap& labels) {
  const std::string zone =
      first_label(labels, "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
  const std::string region = first_label(labels, "failure-domain.beta.kubernetes.io/region",
                                         "topology.kubernetes.io/region");
  return zone.empty() && region.empty() ? std::string() : region + "/" + zone;
}

std::string_view zone_state_name(ZoneState state) {
  switch (state) {
    case ZoneState::kInitial:
      return "Initial";
    case ZoneState::kNormal:
      return "Normal";
    case ZoneState::kPartialDisruption:
      return "PartialDisruption";
    case ZoneState::kFullDisruption:
      return "FullDisruption";
  }
  BERTH_ASSERT(false);
  return {};
}

void Zones::see(const std::string& zone) {
  Zone& one = zones_[zone];
  if (one.state) return;
  one.state = ZoneState::kInitial;
  one.queue.emplace(kRate);
}

size_t& Zones::tally(const std::string& zone, bool ready) {
  Zone& one = zones_[zone];
  return ready ? one.ready : one.not_ready;
}

void Zones::uncount(const std::string& zone, bool ready) {
  size_t& counted = tally(zone, ready);
  BERTH_ASSERT(counted != 0);
  --counted;
}

ZoneState Zones::state_of(const Zone& zone) {
  if (zone.ready == 0) return ZoneState::kFullDisruption;
  const float all = static_cast<float>(zone.ready + zone.not_ready);
  const bool unhealthy =
      zone.not_ready > 2 && static_cast<float>(zone.not_ready) / all >= kUnhealthy;
  return unhealthy ? ZoneState::kPartialDisruption : ZoneState::kNormal;
}

float Zones::rate_of(const Zone& zone) {
  if (zone.state != ZoneState::kPartialDisruption) return kRate;
  return zone.ready + zone.not_ready > kLargeZone ? kLargeZoneRate : 0;
}

void Zones::enter(Time now, Zone& zone, ZoneState state) {
  zone.state = state;
  zone.queue->set_rate(now, rate_of(zone));
}

Zones::Turn Zones::judge(Time now) {
  bool all_are = true, all_were = true;
  for (auto& [name, zone] : zones_) {
    if (!zone.counts()) zone.state.reset();
    if (!zone.state) continue;
    if (state_of(zone) != ZoneState::kFullDisruption) all_are = false;
    if (zone.state != ZoneState::kFullDisruption) all_were = false;
  }
  if (all_are && all_were) return Turn::kNone;
  for (auto& [name, zone] : zones_) {
    if (!zone.state) continue;
    if (all_are) {
      zone.state = ZoneState::kFullDisruption;
      zone.queue->set_rate(now, 0);
    } else if (const ZoneState state = state_of(zone); all_were || zone.state != state) {
      enter(now, zone, state);
    }
  }
  if (all_are) return Turn::kStop;
  return all_were ? Turn::kResume : Turn::kNone;
}

TaintQueue& Zones::queue(const std::string& zone) {
  const auto found = zones_.find(zone);
  BERTH_ASSERT(found != zones_.end() && found->second.queue);
  return *found->second.queue;
}

std::optional<Time> Zones::next() const {
  std::optional<Time> first;
  for (const auto& [name, zone] : zones_) {
    const std::optional<Time> time = zone.queue ? zone.queue->next() : std::nullopt;
    if (time && (!first || *time < *first)) first = time;
  }
  return first;
}

void Zones::run(Time now, const std::function<bool(const std::string&)>& taint) {
  for (auto& [name, zone] : zones_)
    if (zone.queue) zone.queue->run(now, taint);
}

}  // namespace berth::controllers
