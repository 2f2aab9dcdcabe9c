#pragma once

// Elects one leader of several processes by a Lease, as tools/leaderelection of client-go does.
//
// Whoever does not lead reads the Lease each retry period, with jitter. A Lease that is absent or
// released, or that did not change for its own duration, is taken. Only clocks that never go back
// count, each for itself: times in the Lease are for people. The leader renews the Lease each retry
// period with a PUT, which the server refuses if another wrote since.
//
// Why two never lead at once: a leader leads until the renew deadline has passed since it sent the
// last renewal that the server confirmed. Others see that renewal later than it was sent, and wait
// for the lease duration from then, which is longer. That holds if clocks run equally fast within
// the ratio of the two, and if nobody deletes or edits the Lease meanwhile. A process that was
// stopped finds its clock advanced, so it has to ask leads() before each write: a callback comes
// only when the loop runs again.
//
// Differences from client-go:
// - The renew deadline counts from the last renewal, not from the attempt after it, so a leader
//   gives up a retry period earlier. A leader that sees another holder gives up at once.
// - A leader does not renew right after it acquired the Lease, but a retry period later.
// - Fields of `spec` that an election does not write stay as they are (strategy).
// - A release reads the Lease only if its first write fails, and never releases another's.

#include <cstdint>
#include <functional>
#include <string>

#include "engine/base/error.h"
#include "engine/base/time.h"
#include "engine/kube/http/http.h"
#include "engine/kube/lease/lease_client.h"
#include "engine/kube/lease/lease_options.h"
#include "engine/kube/loop.h"

namespace berth::kube {

// All are required. They are called from the loop and may call the elector, but not destroy it.
struct ElectionCallbacks {
  std::function<void()> on_leading;  // once at most
  // Once at most, after on_leading. Nothing is written afterwards; the elector has ended.
  std::function<void(const Error& why)> on_lost;
  // Another identity than before holds the Lease, this one included. Empty: it was released. Any
  // text.
  std::function<void(const std::string& identity)> on_new_leader;
  // A request failed. It is tried again, but for events.
  std::function<void(const Error& fault)> on_fault;
};

// One thread, that of the loop.
class LeaderElector {
 public:
  // `http` and `loop` must outlive this. `http` should not wait behind other requests. Requires
  // valid options: check_lease_options(), and an identity.
  LeaderElector(Http& http, Loop& loop, LeaseOptions options, ElectionCallbacks callbacks);
  // Cancels all requests and releases nothing.
  ~LeaderElector();
  LeaderElector(const LeaderElector&) = delete;
  LeaderElector& operator=(const LeaderElector&) = delete;

  // Once. The first request is sent at once.
  void start();

  // May this process write now? Ask before each write. False forever after it was true and turned
  // false, also before on_lost is called.
  bool leads() const;

  // False if this process holds the Lease and did not renew it for the lease duration and the
  // tolerance, so it should have ended long ago.
  bool healthy(Time tolerance) const;

  // Ends the election: leads() is false from here on, and no other callback comes but on_fault. The
  // leader releases the Lease, so that others need not wait until it expires; call it when nothing
  // that leadership allowed is under way. `done` is called once, after `limit` at the latest.
  void release(Time limit, std::function<void()> done);

 private:
  enum class State : uint8_t { kIdle, kAcquiring, kLeading, kReleasing, kEnded };
  // The record as it was seen last, and since when it is like that.
  struct Observed {
    LeaseRecord record;
    std::string spec;
    Time since{};
  };

  void attempt();
  void look();
  void looked(const LeaseAnswer& answer);
  // Writes the record that this process wants. `look_again`: if that fails, reads the Lease.
  void write(bool look_again);
  void wrote(const LeaseAnswer& answer, Time sent, bool look_again);
  LeaseRecord wanted() const;
  void observe(bool own);
  bool held_by_another() const;
  bool expired() const;

  void succeeded(Time sent);
  void lead();
  void hold(Time sent);
  void failed(const std::string& fault);
  void schedule(Time when);
  Time jittered();

  bool lapsed() const;
  void lose(const std::string& why);
  void lose_by_time();
  void stop();
  void end_release();
  void report_holder();
  void post_event();

  Http& http_;
  Loop& loop_;
  const LeaseOptions options_;
  const ElectionCallbacks callbacks_;
  LeaseClient client_;
  State state_ = State::kIdle;
  Observed observed_;
  Time began_{};        // the attempt
  Time leads_until_{};  // of kLeading
  uint64_t next_ = 0;   // timer of the next attempt
  uint64_t end_ = 0;    // timer of leads_until_, or of the end of a release
  uint64_t event_ = 0;  // the request
  uint64_t draws_ = 0;
  std::string reported_;  // to on_new_leader
  std::function<void()> released_;
};

}  // namespace berth::kube
