#include "engine/kube/writes/objects/statuses.h"

#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/time_text.h"
#include "engine/kube/api/status.h"
#include "engine/kube/kinds.h"
#include "engine/kube/writes/body.h"
#include "engine/kube/writes/limits.h"

namespace berth::kube {
namespace {

constexpr std::string_view kCondition = "PodScheduled";

std::string_view reason_of(const UnscheduledCondition& condition) {
  return condition.failed ? "SchedulerError" : "Unschedulable";
}

void write_new(document::JsonWriter& json, const UnscheduledCondition& to, int64_t wall) {
  json.key("lastProbeTime");
  json.Null();
  json.member("lastTransitionTime", time_text(wall));
  json.member("message", to.message);
  if (to.observed_generation) json.member("observedGeneration", *to.observed_generation);
  json.member("reason", reason_of(to));
  json.member("status", "False");
}

// The differences. The status stays False, so that the time of the transition does.
void write_difference(document::JsonWriter& json, const UnscheduledCondition& from,
                      const UnscheduledCondition& to) {
  if (from.message != to.message) json.member("message", to.message);
  if (to.observed_generation && from.observed_generation != to.observed_generation)
    json.member("observedGeneration", *to.observed_generation);
  if (from.failed != to.failed) json.member("reason", reason_of(to));
}

void write_condition(document::JsonWriter& json, const std::optional<UnscheduledCondition>& from,
                     const UnscheduledCondition& to, int64_t wall) {
  const auto type = [&] { json.member("type", kCondition); };
  if (from) {
    json.key("$setElementOrder/conditions");
    json.StartArray();
    json.object(type);
    json.EndArray();
  }
  json.key("conditions");
  json.StartArray();
  json.object([&] {
    if (from)
      write_difference(json, *from, to);
    else
      write_new(json, to, wall);
    type();
  });
  json.EndArray();
}

std::string patch_body(const PodName& pod, const std::optional<UnscheduledCondition>& from,
                       const StatusChange& to, int64_t wall) {
  return json_body([&](document::JsonWriter& json) {
    if (!pod.uid.empty()) json.object("metadata", [&] { json.member("uid", pod.uid); });
    json.object("status", [&] {
      if (to.condition) write_condition(json, from, *to.condition, wall);
      if (!to.nominated_node) return;
      json.key("nominatedNodeName");
      if (to.nominated_node->empty())
        json.Null();
      else
        json.text(*to.nominated_node);
    });
  });
}

// kube-scheduler does not compare the generation.
bool is_same(const UnscheduledCondition& a, const UnscheduledCondition& b) {
  return a.failed == b.failed && a.message == b.message;
}

// kube-scheduler tries the patch of a status again after these alone.
bool is_retriable(const Answer& answer, const Status& error) {
  return answer.fate == Answer::Fate::kNotSent || error.reason == "InternalError" ||
         error.reason == "ServiceUnavailable";
}

// Takes the parts of the newer change.
void merge(StatusChange& into, StatusChange newer) {
  if (newer.condition) into.condition = std::move(newer.condition);
  if (newer.nominated_node) into.nominated_node = std::move(newer.nominated_node);
}

}  // namespace

void Statuses::write(uint64_t number, const PodName& pod, StatusChange change) {
  BERTH_ASSERT(change.condition || change.nominated_node);
  const std::string key = pod.namespace_name + "/" + pod.name + "/" + pod.uid;
  const auto [at, is_new] = entries_.try_emplace(key, Entry{pod});
  Entry& entry = at->second;
  merge(entry.next, std::move(change));
  entry.next_numbers.push_back(number);
  if (entry.busy) return;
  if (!is_new) idle_.erase(entry.idle);
  entry.busy = true;
  sender_.add(job(key));
}

Job Statuses::job(const std::string& key) {
  return {WriteKind::kStatus, [this, key] { return make(entries_.at(key)); },
          [this, key](const Outcome& outcome) { answered(key, outcome); }};
}

std::optional<Request> Statuses::make(Entry& entry) {
  if (entry.now_numbers.empty()) {
    entry.now = std::exchange(entry.next, {});
    entry.now_numbers = std::exchange(entry.next_numbers, {});
    StatusChange change = entry.now;
    if (change.condition && entry.known && is_same(*change.condition, *entry.known))
      change.condition.reset();
    if (!change.condition && !change.nominated_node) return {};
    entry.body = patch_body(entry.pod, entry.known, change, sender_.loop().wall());
  }
  return Request{
      .method = Method::kPatch,
      .path = object_path(*find_served("Pod"), entry.pod.namespace_name, entry.pod.name, "status"),
      .content_type = kStrategicPatch,
      .body = entry.body,
      .limit = kRequestLimit};
}

void Statuses::answered(const std::string& key, const Outcome& outcome) {
  Entry& entry = entries_.at(key);
  BERTH_ASSERT(entry.busy);
  if (outcome.answer.ok()) {
    if (entry.now.condition) entry.known = std::move(entry.now.condition);
    return settle(key, entry, true, {});
  }
  const Status error = status_of(outcome.answer, {Method::kPatch, "pods", entry.pod.name});
  if (outcome.ended) {
    // A job that was never sent has not taken what is to be written.
    entry.now_numbers.insert(entry.now_numbers.end(), entry.next_numbers.begin(),
                             entry.next_numbers.end());
    entry.next_numbers.clear();
    entry.next = {};
    return settle(key, entry, false, error.message);
  }
  if (error.is_not_found() || error.is_other_uid()) return settle(key, entry, false, {});
  if (is_retriable(outcome.answer, error) && ++entry.tries < kWriteTries)
    return sender_.again(job(key), kWriteWaits.after(entry.tries, sender_.jitter()));
  sender_.count_failed(WriteKind::kStatus);
  settle(key, entry, false, error.message);
}

void Statuses::settle(const std::string& key, Entry& entry, bool known, const std::string& error) {
  const std::vector<uint64_t> numbers = std::exchange(entry.now_numbers, {});
  entry.now = {};
  entry.body.clear();
  entry.tries = 0;
  if (!known) entry.known.reset();
  if (!entry.next_numbers.empty()) {
    sender_.again(job(key));
  } else {
    entry.busy = false;
    entry.idle = idle_.insert(idle_.end(), key);
    if (idle_.size() > remembered_ || !known) {
      const auto forgotten = known ? idle_.begin() : entry.idle;
      entries_.erase(*forgotten);
      idle_.erase(forgotten);
    }
  }
  for (const uint64_t number : numbers) written_(number, error);
}

}  // namespace berth::kube
