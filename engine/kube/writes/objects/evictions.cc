#include "engine/kube/writes/objects/evictions.h"

#include <utility>

#include "engine/base/text/time_text.h"
#include "engine/kube/api/status.h"
#include "engine/kube/kinds.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/limits.h"

namespace berth::kube {
namespace {

constexpr uint32_t kEvictionTries = 12;

std::string disruption_body(const Eviction& eviction, int64_t wall) {
  return json_body([&](document::JsonWriter& json) {
    const std::string& uid = eviction.victim.uid;
    if (!uid.empty()) json.object("metadata", [&] { json.member("uid", uid); });
    json.object("status", [&] {
      json.key("conditions");
      json.StartArray();
      json.object([&] {
        json.key("lastProbeTime");
        json.Null();
        json.member("lastTransitionTime", time_text(wall));
        json.member("message",
                    eviction.scheduler + ": preempting to accommodate a higher priority pod");
        if (eviction.observed_generation)
          json.member("observedGeneration", *eviction.observed_generation);
        json.member("reason", "PreemptionByScheduler");
        json.member("status", "True");
        json.member("type", "DisruptionTarget");
      });
      json.EndArray();
    });
  });
}

std::string deletion_body(const std::string& uid) {
  return json_body([&](document::JsonWriter& json) {
    json.member("kind", "DeleteOptions");
    json.member("apiVersion", "v1");
    if (!uid.empty()) json.object("preconditions", [&] { json.member("uid", uid); });
  });
}

}  // namespace

void Evictions::evict(const Eviction& eviction) {
  sender_.add(job(std::make_shared<One>(One{eviction})));
}

Job Evictions::job(const Shared& one) {
  return {WriteKind::kEviction, [this, one] { return make(*one); },
          [this, one](const Outcome& outcome) { answered(one, outcome); }};
}

Request Evictions::make(One& one) const {
  const PodName& victim = one.eviction.victim;
  const ServedKind& kind = *find_served("Pod");
  if (one.told)
    return {.method = Method::kDelete,
            .path = object_path(kind, victim.namespace_name, victim.name),
            .content_type = kJson,
            .body = deletion_body(victim.uid),
            .limit = kRequestLimit};
  if (one.condition.empty()) one.condition = disruption_body(one.eviction, sender_.loop().wall());
  return {.method = Method::kPatch,
          .path = object_path(kind, victim.namespace_name, victim.name, "status"),
          .content_type = kStrategicPatch,
          .body = one.condition,
          .limit = kRequestLimit};
}

void Evictions::answered(const Shared& one, const Outcome& outcome) {
  using Kind = EvictionResult::Kind;
  if (outcome.answer.ok()) {
    if (one->told) return answer(*one, Kind::kDeleted);
    one->told = true;
    one->tries = 0;
    return sender_.again(job(one));
  }
  const Method method = one->told ? Method::kDelete : Method::kPatch;
  Status error = status_of(outcome.answer, {method, "pods", one->eviction.victim.name});
  if (outcome.ended) return answer(*one, Kind::kFailed, std::move(error.message));
  if (error.is_not_found() || error.is_other_uid()) return answer(*one, Kind::kGone);
  if (error.may_pass() && ++one->tries < kEvictionTries)
    return sender_.again(job(one), kWriteWaits.after(one->tries, sender_.jitter()));
  sender_.count_failed(WriteKind::kEviction);
  answer(*one, Kind::kFailed, std::move(error.message));
}

void Evictions::answer(const One& one, EvictionResult::Kind kind, std::string message) {
  evicted_(one.eviction.number, {kind, std::move(message)});
}

}  // namespace berth::kube
