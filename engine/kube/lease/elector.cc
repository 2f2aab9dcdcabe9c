#include "engine/kube/lease/elector.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/draw.h"
#include "engine/base/text/go_duration.h"
#include "engine/base/text/time_text.h"
#include "engine/document/document.h"
#include "engine/kube/api/status.h"
#include "engine/kube/lease/lease_event.h"

namespace berth::kube {

LeaderElector::LeaderElector(Http& http, Loop& loop, LeaseOptions options,
                             ElectionCallbacks callbacks)
    : http_(http),
      loop_(loop),
      options_(std::move(options)),
      callbacks_(std::move(callbacks)),
      client_(http, options_) {
  BERTH_ASSERT(!options_.identity.empty());
  BERTH_ASSERT(options_.lease_duration > options_.renew_deadline);
  BERTH_ASSERT(callbacks_.on_leading && callbacks_.on_lost);
  BERTH_ASSERT(callbacks_.on_new_leader && callbacks_.on_fault);
}

LeaderElector::~LeaderElector() {
  stop();
  http_.cancel(event_);
}

void LeaderElector::start() {
  BERTH_ASSERT(state_ == State::kIdle);
  state_ = State::kAcquiring;
  attempt();
}

bool LeaderElector::leads() const { return state_ == State::kLeading && !lapsed(); }

bool LeaderElector::healthy(Time tolerance) const {
  return observed_.record.holder != options_.identity ||
         loop_.now() - observed_.since <= options_.lease_duration + tolerance;
}

void LeaderElector::release(Time limit, std::function<void()> done) {
  BERTH_ASSERT(!released_);
  const bool writes = leads();
  stop();
  state_ = writes ? State::kReleasing : State::kEnded;
  released_ = std::move(done);
  end_ = loop_.after(writes ? limit : Time{}, [this, writes] {
    if (writes) callbacks_.on_fault(Error("the lease was not released in time"));
    end_release();
  });
  if (writes) write(true);
}

// ---- an attempt: [PUT], GET, PUT or POST

void LeaderElector::attempt() {
  next_ = 0;
  if (lapsed()) return lose_by_time();
  began_ = loop_.now();
  if (state_ == State::kLeading) return write(true);
  look();
}

void LeaderElector::look() {
  client_.get([this](const LeaseAnswer& answer) { looked(answer); });
}

void LeaderElector::looked(const LeaseAnswer& answer) {
  if (lapsed()) return lose_by_time();
  if (answer.result == LeaseAnswer::kFault) return failed(answer.fault);
  if (answer.result == LeaseAnswer::kLease) observe(false);
  if (state_ == State::kReleasing) {
    const bool ours = client_.lease() != nullptr && observed_.record.holder == options_.identity;
    return ours ? write(false) : end_release();
  }
  if (answer.result == LeaseAnswer::kLease && held_by_another()) {
    if (state_ == State::kLeading) return lose("another took it");
    if (!expired()) return failed({});
  }
  write(false);
}

void LeaderElector::write(bool look_again) {
  const Time sent = loop_.now();
  client_.write(wanted(), [this, sent, look_again](const LeaseAnswer& answer) {
    wrote(answer, sent, look_again);
  });
}

void LeaderElector::wrote(const LeaseAnswer& answer, Time sent, bool look_again) {
  if (lapsed()) return lose_by_time();
  if (answer.result == LeaseAnswer::kLease) {
    observe(true);
    return succeeded(sent);
  }
  if (!look_again) return failed(answer.fault);
  look();
  callbacks_.on_fault(Error(answer.fault));
}

LeaseRecord LeaderElector::wanted() const {
  const LeaseObject* lease = client_.lease();
  const LeaseRecord before = lease == nullptr ? LeaseRecord() : lease->record();
  LeaseRecord record;
  record.acquired = record.renewed = micro_time_text(loop_.wall());
  record.transitions = before.transitions;
  if (state_ == State::kReleasing) {
    record.duration_seconds = 1;
    return record;
  }
  record.holder = options_.identity;
  // Rounded up, so that others never wait for less than the lease duration.
  record.duration_seconds =
      std::chrono::ceil<std::chrono::seconds>(options_.lease_duration).count();
  if (before.holder == options_.identity && !before.acquired.empty()) {
    record.acquired = before.acquired;
  } else if (lease != nullptr) {
    record.transitions = std::min<int64_t>(before.transitions + 1, INT32_MAX);
  }
  return record;
}

void LeaderElector::observe(bool own) {
  const LeaseObject& lease = *client_.lease();
  if (!own && lease.spec() == observed_.spec) return;
  observed_ = {.record = lease.record(), .spec = lease.spec(), .since = loop_.now()};
}

bool LeaderElector::held_by_another() const {
  const std::string& holder = observed_.record.holder;
  return !holder.empty() && holder != options_.identity;
}

// It has to be expired when the attempt began: the answer may have waited for this process, and
// show an older record than the server has.
bool LeaderElector::expired() const {
  return observed_.since + std::chrono::seconds(observed_.record.duration_seconds) <= began_;
}

// ---- its end

void LeaderElector::succeeded(Time sent) {
  if (state_ == State::kReleasing) return end_release();
  // The answer took so long that others may take the lease soon.
  if (sent + options_.renew_deadline <= loop_.now())
    return failed("the answer of the server came after the renew deadline");
  hold(sent);
  schedule(loop_.now() + options_.retry_period);
  if (state_ == State::kAcquiring) return lead();
}

void LeaderElector::lead() {
  state_ = State::kLeading;
  post_event();
  report_holder();
  if (leads()) callbacks_.on_leading();
}

void LeaderElector::hold(Time sent) {
  leads_until_ = sent + options_.renew_deadline;
  loop_.cancel(end_);
  end_ = loop_.at(leads_until_, [this] { lose_by_time(); });
}

void LeaderElector::failed(const std::string& fault) {
  if (state_ == State::kReleasing) {
    callbacks_.on_fault(Error(fault));
    return end_release();
  }
  if (state_ == State::kLeading) schedule(std::max(loop_.now(), began_ + options_.retry_period));
  if (state_ == State::kAcquiring) schedule(loop_.now() + jittered());
  report_holder();
  if (!fault.empty()) callbacks_.on_fault(Error(fault));
}

void LeaderElector::schedule(Time when) {
  BERTH_ASSERT(next_ == 0);
  next_ = loop_.at(when, [this] { attempt(); });
}

Time LeaderElector::jittered() {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15u;  // of splitmix64
  const auto most =
      static_cast<uint64_t>(kJitterFactor * static_cast<double>(options_.retry_period.count()));
  const uint64_t more = below(mix(options_.seed + kStep * ++draws_), most);
  return options_.retry_period + Time(static_cast<int64_t>(more));
}

bool LeaderElector::lapsed() const {
  return state_ == State::kLeading && loop_.now() >= leads_until_;
}

void LeaderElector::lose_by_time() {
  lose("it was not renewed within " + go_duration(options_.renew_deadline));
}

void LeaderElector::lose(const std::string& why) {
  BERTH_ASSERT(state_ == State::kLeading);
  stop();
  http_.cancel(std::exchange(event_, 0));
  state_ = State::kEnded;
  report_holder();
  if (released_) return;  // by that callback
  callbacks_.on_lost(
      Error("the lease " + options_.namespace_name + "/" + options_.name + " is lost: " + why));
}

void LeaderElector::stop() {
  client_.cancel();
  loop_.cancel(std::exchange(next_, 0));
  loop_.cancel(std::exchange(end_, 0));
}

void LeaderElector::end_release() {
  stop();
  state_ = State::kEnded;
  if (const auto done = std::exchange(released_, nullptr)) done();
}

void LeaderElector::report_holder() {
  if (observed_.record.holder == reported_) return;
  reported_ = observed_.record.holder;
  callbacks_.on_new_leader(std::string(reported_));
}

void LeaderElector::post_event() {
  Request request{.method = Method::kPost,
                  .path = "/api/v1/namespaces/" + options_.namespace_name + "/events",
                  .content_type = "application/json",
                  .body = became_leader_event(*client_.lease(), options_, loop_.wall()),
                  .limit = request_limit(options_)};
  event_ = http_.send(std::move(request), [this](const Answer& answer) {
    event_ = 0;
    if (!answer.ok())
      callbacks_.on_fault(Error("POST of the event of the new leader: " +
                                failure_text(answer, {Method::kPost, "events"})));
  });
}

}  // namespace berth::kube
