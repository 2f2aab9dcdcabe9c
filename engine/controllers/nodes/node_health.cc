#include "engine/controllers/nodes/node_health.h"

#include <algorithm>
#include <chrono>

#include "engine/base/assert.h"

namespace berth::controllers {
namespace {

constexpr Time kGrace = std::chrono::seconds(50), kStartGrace = std::chrono::seconds(60);

}  // namespace

Time first_from(Time time, Time period, Time offset) {
  const Time late = (time - offset) % period;
  return late == Time{} ? time : time - late + (late < Time{} ? Time{} : period);
}

void LeaseTimes::start(Time now, Time phase) {
  started_ = now;
  stopped_.reset();
  phase_ = phase % kLeasePeriod;
}

std::optional<Time> LeaseTimes::last(Time now) const {
  if (!started_ || now < *started_) return std::nullopt;
  const Time until = stopped_ ? std::min(now, *stopped_) : now;
  const Time regular = first_from(until - kLeasePeriod + Time(1), kLeasePeriod, phase_);
  return std::max(*started_, regular);
}

void NodeHealth::take(Time now, const HealthSigns& signs) {
  known_ = true;
  heard_ = now;
  ready_ = signs.ready == nullptr ? std::string() : signs.ready->status;
  heartbeat_ = signs.heartbeat;
  lease_.reset();
}

void NodeHealth::look(Time now, const HealthSigns& signs) {
  const std::optional<Time> lease = lease_;
  if (!known_) {
    take(signs.ready == nullptr ? signs.created : now, signs);
  } else if (signs.ready == nullptr) {
    ready_.clear();
  } else if (ready_.empty() || heartbeat_ != signs.heartbeat) {
    take(now, signs);
  }
  if (!signs.lease || (lease && *lease >= *signs.lease)) return;
  heard_ = std::max(heard_, now);
  lease_ = signs.lease;
}

void NodeHealth::catch_up(std::optional<Time> lease) {
  if (!known_ || !lease_ || !lease || *lease <= *lease_) return;
  heard_ = std::max(heard_, first_from(*lease, kLookPeriod));
  lease_ = lease;
}

void NodeHealth::set_unknown(Time heartbeat, std::optional<Time> lease) {
  BERTH_ASSERT(known_);
  ready_ = "Unknown";
  heartbeat_ = heartbeat;
  lease_ = lease;
}

void NodeHealth::hear(Time now) { heard_ = std::max(heard_, now); }

bool NodeHealth::is_silent(Time now, bool has_ready) const {
  return now > heard_ + (has_ready ? kGrace : kStartGrace);
}

}  // namespace berth::controllers
