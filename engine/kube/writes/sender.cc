#include "engine/kube/writes/sender.h"

#include <iterator>
#include <utility>

#include "engine/base/assert.h"

namespace berth::kube {
namespace {

constexpr uint32_t kMostAskedBack = 10;     // client-go: rest.Request's retries
constexpr uint32_t kAskedBackPercent = 25;  // of chance on top of the server's wish

constexpr const char* kFull = "too many writes wait for the API server";
constexpr const char* kForbidden = "this scheduler may not write any more";
constexpr const char* kOver = "the scheduler ends";

// Reads first, of which each is for a binding.
size_t rank_of(WriteKind kind) {
  constexpr size_t kRankOf[] = {0, 1, 1, 2, 2, 2};
  static_assert(std::size(kRankOf) == kWriteKinds);
  return kRankOf[static_cast<size_t>(kind)];
}

bool comes_back(const Answer& answer, const Job& job) {
  if (answer.fate != Answer::Fate::kAnswered || !answer.retry_after) return false;
  if (job.asked_back >= kMostAskedBack) return false;
  return answer.status == 429 || (answer.status >= 500 && job.kind != WriteKind::kBinding);
}

Answer unanswered(Answer::Fate fate, const char* why) {
  Answer answer;
  answer.fate = fate;
  answer.error = why;
  return answer;
}

}  // namespace

std::string_view write_kind_name(WriteKind kind) {
  constexpr std::string_view kNames[] = {"read",   "binding",  "volume",
                                         "status", "eviction", "event"};
  static_assert(std::size(kNames) == kWriteKinds);
  return kNames[static_cast<size_t>(kind)];
}

Sender::Sender(Http& http, Loop& loop, const SenderOptions& options, MayWrite may_write)
    : http_(http),
      loop_(loop),
      options_(options),
      may_write_(std::move(may_write)),
      jitter_(options.seed) {
  BERTH_ASSERT(options.queue > 0 && options.under_way > 0 && may_write_);
}

Sender::~Sender() {
  for (const auto& [key, one] : running_) http_.cancel(one.request);
  for (const auto& [key, one] : delayed_) loop_.cancel(one.timer);
  loop_.cancel(work_);
  loop_.cancel(deadline_);
}

void Sender::add(Job job) {
  BERTH_ASSERT(job.make && job.done);
  if (closed_) return end(std::move(job), kOver);
  if (waiting_ >= options_.queue) return end(std::move(job), kFull);
  ++waiting_;
  ++of(job.kind).queued;
  queues_[rank_of(job.kind)].push_back(std::move(job));
  wake();
}

void Sender::again(Job job, Time wait) {
  BERTH_ASSERT(job.make && job.done);
  if (over_) return end(std::move(job), kOver);
  if (wait > Time(0)) return delay(std::move(job), wait);
  enqueue_first(std::move(job));
}

void Sender::enqueue_first(Job job) {
  ++waiting_;
  ++of(job.kind).queued;
  queues_[rank_of(job.kind)].push_front(std::move(job));
  wake();
}

void Sender::delay(Job job, Time wait) {
  const uint64_t key = ++keys_;
  ++of(job.kind).queued;
  const uint64_t timer = loop_.after(wait, [this, key] {
    auto one = delayed_.extract(key);
    BERTH_ASSERT(!one.empty());
    --of(one.mapped().job.kind).queued;
    enqueue_first(std::move(one.mapped().job));
  });
  delayed_.emplace(key, Delayed{timer, std::move(job)});
}

void Sender::wake() {
  if (work_ == 0) work_ = loop_.at(loop_.now(), [this] { work(); });
}

void Sender::work() {
  work_ = 0;
  call_ended();
  while (running_.size() < options_.under_way && send_next()) {
  }
  if (!ended_.empty()) wake();
  if (!finished_ || !idle()) return;
  loop_.cancel(deadline_);
  over_ = true;
  std::exchange(finished_, nullptr)();
}

bool Sender::send_next() {
  for (size_t rank = 0; rank < kRanks; ++rank) {
    if (queues_[rank].empty()) continue;
    if (rank != 0 && !may_write_()) {
      end_waiting(kForbidden, false);
      return false;
    }
    Job job = std::move(queues_[rank].front());
    queues_[rank].pop_front();
    --waiting_;
    --of(job.kind).queued;
    send(std::move(job));
    return true;
  }
  return false;
}

void Sender::send(Job job) {
  std::optional<Request> request = job.make();
  if (!request) {
    Answer nothing;
    nothing.status = 200;
    ended_.emplace_back(std::move(job), Outcome{std::move(nothing)});
    return;
  }
  // It may wait for its turn in the client, and this process may stand still meanwhile.
  if (job.kind != WriteKind::kRead) request->may_leave = may_write_;
  const uint64_t key = ++keys_;
  ++of(job.kind).sent;
  ++of(job.kind).under_way;
  const uint64_t number = http_.send(
      std::move(*request), [this, key](Answer answer) { answered(key, std::move(answer)); });
  BERTH_ASSERT(number != 0);
  running_.emplace(key, Running{number, std::move(job)});
}

void Sender::answered(uint64_t key, Answer answer) {
  auto one = running_.extract(key);
  BERTH_ASSERT(!one.empty());
  Job job = std::move(one.mapped().job);
  --of(job.kind).under_way;
  wake();
  if (comes_back(answer, job)) {
    ++job.asked_back;
    return delay(std::move(job), jitter_.spread(*answer.retry_after, kAskedBackPercent));
  }
  job.done({std::move(answer)});
}

void Sender::end(Job job, const char* why) {
  ++of(job.kind).dropped;
  ended_.emplace_back(std::move(job), Outcome{unanswered(Answer::Fate::kNotSent, why), true});
  wake();
}

void Sender::end_waiting(const char* why, bool reads) {
  for (size_t rank = reads ? 0 : 1; rank < kRanks; ++rank) {
    for (Job& job : std::exchange(queues_[rank], {})) {
      --waiting_;
      --of(job.kind).queued;
      end(std::move(job), why);
    }
  }
  for (auto one = delayed_.begin(); one != delayed_.end();) {
    if (!reads && one->second.job.kind == WriteKind::kRead) {
      ++one;
      continue;
    }
    loop_.cancel(one->second.timer);
    --of(one->second.job.kind).queued;
    end(std::move(one->second.job), why);
    one = delayed_.erase(one);
  }
}

void Sender::end_all() {
  over_ = true;
  deadline_ = 0;
  for (auto& [key, one] : std::exchange(running_, {})) {
    http_.cancel(one.request);
    --of(one.job.kind).under_way;
    ++of(one.job.kind).dropped;
    ended_.emplace_back(std::move(one.job), Outcome{unanswered(Answer::Fate::kLost, kOver), true});
  }
  end_waiting(kOver, true);
  wake();
}

void Sender::call_ended() {
  for (auto& [job, outcome] : std::exchange(ended_, {})) job.done(outcome);
}

bool Sender::idle() const {
  return waiting_ == 0 && running_.empty() && delayed_.empty() && ended_.empty();
}

void Sender::finish(Time limit, std::function<void()> done) {
  BERTH_ASSERT(!closed_ && done);
  closed_ = true;
  finished_ = std::move(done);
  deadline_ = loop_.after(limit, [this] { end_all(); });
  wake();
}

}  // namespace berth::kube
