#include "engine/controllers/drain/drain.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/go_duration.h"

namespace berth::controllers {
namespace {

constexpr int32_t kTooManyRequests = 429, kNotFound = 404;

std::string quoted_pod(const DrainPod& pod) {
  return fmt::format("pods/\"{}\" -n \"{}\"", pod.name, pod.namespace_name);
}

}  // namespace

Drain::Drain(std::string node, DrainOptions options, std::vector<DrainPod> pods,
             DrainCluster& cluster)
    : node_(std::move(node)), options_(std::move(options)), cluster_(cluster) {
  for (DrainPod& pod : pods) pods_.push_back({.pod = std::move(pod)});
}

std::optional<Time> Drain::deadline() const {
  if (options_.timeout == Time{}) return std::nullopt;
  return began_ + options_.timeout;
}

void Drain::begin(Time now) {
  began_ = now;
  std::vector<DrainPod> all;
  for (Pod& pod : pods_) {
    const DrainVerdict verdict = judge(pod.pod, options_);
    all.push_back(pod.pod);
    pod.message = verdict.reason;
    if (verdict.kind == DrainVerdict::Kind::kLeave) pod.state = State::kLeft;
    if (verdict.kind == DrainVerdict::Kind::kRefuse) pod.state = State::kRefused;
  }
  if (std::string error = drain_refusal(all, options_); !error.empty()) {
    for (Pod& pod : pods_)
      if (pod.state == State::kAsking) pod.state = State::kSpared;
    error_ = std::move(error);
    return end(now, Outcome::kRefused);
  }
  asking_ = true;
  for (Pod& pod : pods_)
    if (pod.state == State::kAsking) ask(now, pod);
  asking_ = false;
  end_if_done(now);
}

void Drain::ask(Time now, Pod& pod) {
  ++pod.tries;
  if (options_.disable_eviction) {
    pod.state = State::kGoing;
    return cluster_.remove(pod.pod, options_.grace_seconds);
  }
  cluster_.say(node_, "evicting pod " + pod.pod.full_name());
  if (deadline() && now >= *deadline())
    return fail(pod, fmt::format("error when evicting {}: global timeout reached: {}",
                                 quoted_pod(pod.pod), go_duration(options_.timeout)));
  pod.state = State::kGoing;
  const ApiStatus answer = cluster_.evict(pod.pod, options_.grace_seconds);
  if (answer.success()) {
    pod.message.clear();
  } else if (answer.code == kNotFound) {
    pod.state = State::kGone;
  } else if (answer.code == kTooManyRequests) {
    pod.state = State::kAsking;
    pod.next = now + kRetryDelay;
    pod.message = answer.message;
    if (!answer.causes.empty()) pod.refusal = answer.causes.front().message;
    cluster_.say(node_, fmt::format("error when evicting {} (will retry after 5s): {}",
                                    quoted_pod(pod.pod), answer.message));
  } else {
    fail(pod, fmt::format("error when evicting {}: {}", quoted_pod(pod.pod), answer.message));
  }
}

void Drain::fail(Pod& pod, std::string error) {
  pod.state = State::kFailed;
  pod.message = error;
  errors_.push_back(std::move(error));
}

void Drain::pod_gone(Time now, std::string_view namespace_name, std::string_view name) {
  if (over()) return;
  const auto gone = std::ranges::find_if(pods_, [&](const Pod& one) {
    return one.pod.namespace_name == namespace_name && one.pod.name == name;
  });
  if (gone == pods_.end() || (gone->state != State::kAsking && gone->state != State::kGoing))
    return;
  gone->state = State::kGone;
  gone->message.clear();
  cluster_.say(node_, fmt::format("pod/{} {}", gone->pod.name,
                                  options_.disable_eviction ? "deleted" : "evicted"));
  if (!asking_) end_if_done(now);
}

void Drain::stop(Time now) {
  if (!over()) end(now, Outcome::kStopped);
}

std::optional<Time> Drain::next() const {
  std::optional<Time> first;
  if (over()) return first;
  const auto consider = [&](Time time) { first = first ? std::min(*first, time) : time; };
  for (const Pod& pod : pods_) {
    if (pod.state == State::kAsking) consider(pod.next);
    if (pod.state == State::kGoing && deadline()) consider(*deadline());
  }
  return first;
}

void Drain::run_due(Time now) {
  if (over()) return;
  asking_ = true;
  const bool late = deadline() && now >= *deadline();
  for (Pod& pod : pods_) {
    if (pod.state == State::kAsking && pod.next <= now) {
      ask(now, pod);
    } else if (pod.state == State::kGoing && late) {
      fail(pod, options_.disable_eviction
                    ? std::string("context deadline exceeded")
                    : fmt::format("error when waiting for pod \"{}\" in namespace \"{}\" to "
                                  "terminate: context deadline exceeded",
                                  pod.pod.name, pod.pod.namespace_name));
    }
  }
  asking_ = false;
  end_if_done(now);
}

void Drain::end_if_done(Time now) {
  const bool waits = std::ranges::any_of(pods_, [](const Pod& pod) {
    return pod.state == State::kAsking || pod.state == State::kGoing;
  });
  if (waits) return;
  error_ = joined_errors(errors_);
  end(now, errors_.empty() ? Outcome::kDrained : Outcome::kFailed);
}

void Drain::end(Time now, Outcome outcome) {
  BERTH_ASSERT(!over() && outcome != Outcome::kUnderWay);
  outcome_ = outcome;
  ended_ = now;
  if (outcome == Outcome::kDrained) cluster_.say(node_, fmt::format("node/{} drained", node_));
  if (!error_.empty())
    cluster_.say(node_, fmt::format("error: unable to drain node \"{}\" due to error: {}, "
                                    "continuing command...",
                                    node_, error_));
}

}  // namespace berth::controllers
