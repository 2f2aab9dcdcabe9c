#pragma once

// Sends the requests of the writes: a bounded queue in the order of their importance, and a bounded
// number under way.
//
// A job is a request that is made when its turn comes, so that a body can take up what changed
// while it waited. Its `done` is called once, from the loop, never within a call of this class. A
// machine that needs several requests hands in the next job from `done`, by again().
//
// As client-go does, an answer of 429 or 5xx with the wish to come back later is followed by the
// same request, at most ten times. The exception is a 5xx to a binding: the server may have bound
// the pod, and bindings are not repeated blindly.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/time.h"
#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"
#include "engine/kube/writes/waits.h"

namespace berth::kube {

enum class WriteKind : uint8_t { kRead, kBinding, kVolume, kStatus, kEviction, kEvent };
inline constexpr size_t kWriteKinds = 6;
std::string_view write_kind_name(WriteKind kind);  // "binding"

struct WriteCounts {
  uint64_t queued = 0;     // wait to be sent, now
  uint64_t under_way = 0;  // now
  uint64_t sent = 0;       // requests
  uint64_t dropped = 0;    // writes that were never sent, or ended before an answer
  uint64_t failed = 0;     // writes that the server refused, or did not answer
};

// The outcome of a job.
struct Outcome {
  Answer answer;
  // It is not to be tried again: the queue is full, writes are forbidden, or all end. The answer is
  // kNotSent, or kLost if the request was under way.
  bool ended = false;
};

struct Job {
  WriteKind kind = WriteKind::kRead;
  // Makes the request, when it is sent. Nothing: nothing is to be done; the job is answered by 200.
  std::function<std::optional<Request>()> make;
  std::function<void(const Outcome&)> done;
  uint32_t asked_back = 0;  // how often the server wished it to come later
};

struct SenderOptions {
  size_t queue = 50'000;   // jobs that wait, without those that were sent before
  size_t under_way = 100;  // requests at once; each costs the network time while it waits
  uint64_t seed = 0;       // of waits
};

// One thread, that of the loop.
class Sender {
 public:
  using MayWrite = std::function<bool()>;

  // `may_write` is asked before each request but reads, and again when it leaves. When it is false
  // all jobs that wait, but reads, end. `http` and `loop` outlive the sender.
  Sender(Http& http, Loop& loop, const SenderOptions& options, MayWrite may_write);
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  ~Sender();  // no function is called any more

  // A new job. It ends if the queue is full, or after finish().
  void add(Job job);
  // The next request of a job that was answered, before others of its importance.
  void again(Job job, Time wait = {});

  // No new jobs. Calls `done` when all jobs are answered; those that are not after `limit` end.
  // Called once.
  void finish(Time limit, std::function<void()> done);

  const WriteCounts& counts(WriteKind kind) const { return counts_[static_cast<size_t>(kind)]; }
  void count_failed(WriteKind kind) { ++of(kind).failed; }

  Loop& loop() { return loop_; }
  Jitter& jitter() { return jitter_; }

 private:
  static constexpr size_t kRanks = 3;
  struct Running {
    uint64_t request = 0;
    Job job;
  };
  struct Delayed {
    uint64_t timer = 0;
    Job job;
  };

  WriteCounts& of(WriteKind kind) { return counts_[static_cast<size_t>(kind)]; }
  void wake();
  void work();
  bool send_next();
  void send(Job job);
  void answered(uint64_t key, Answer answer);
  void delay(Job job, Time wait);
  void enqueue_first(Job job);
  void end(Job job, const char* why);
  void end_waiting(const char* why, bool reads);
  void end_all();
  void call_ended();
  bool idle() const;

  Http& http_;
  Loop& loop_;
  SenderOptions options_;
  MayWrite may_write_;
  Jitter jitter_;
  std::array<std::deque<Job>, kRanks> queues_;  // by importance
  size_t waiting_ = 0;                          // in the queues
  std::map<uint64_t, Running> running_;
  std::map<uint64_t, Delayed> delayed_;
  std::vector<std::pair<Job, Outcome>> ended_;  // their functions are to be called
  std::array<WriteCounts, kWriteKinds> counts_{};
  uint64_t keys_ = 0;      // given in running_ and delayed_
  uint64_t work_ = 0;      // timer
  uint64_t deadline_ = 0;  // timer
  std::function<void()> finished_;
  bool closed_ = false;  // no new jobs
  bool over_ = false;    // no jobs at all
};

}  // namespace berth::kube
