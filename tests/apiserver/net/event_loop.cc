#include "tests/apiserver/net/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>

#include "engine/base/assert.h"
#include "engine/base/error.h"

namespace berth::apiserver {
namespace {

constexpr size_t kEventsATurn = 256;

Descriptor made(int number, const char* what) {
  if (number < 0) throw Error(std::string(what) + " cannot be made: " + std::strerror(errno));
  return Descriptor(number);
}

}  // namespace

EventLoop::EventLoop()
    : epoll_(made(::epoll_create1(EPOLL_CLOEXEC), "an epoll instance")),
      wake_(made(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "an eventfd")) {
  control(EPOLL_CTL_ADD, wake_.number(), EPOLLIN, nullptr);
}

Time EventLoop::now() {
  return std::chrono::duration_cast<Time>(std::chrono::steady_clock::now().time_since_epoch());
}

void EventLoop::control(int operation, int descriptor, uint32_t events, Watcher* watcher) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = watcher;
  if (::epoll_ctl(epoll_.number(), operation, descriptor, &event) != 0)
    throw Error(std::string("a descriptor cannot be watched: ") + std::strerror(errno));
}

void EventLoop::watch(int descriptor, uint32_t events, Watcher& watcher) {
  control(EPOLL_CTL_ADD, descriptor, events, &watcher);
}

void EventLoop::change(int descriptor, uint32_t events, Watcher& watcher) {
  control(EPOLL_CTL_MOD, descriptor, events, &watcher);
}

void EventLoop::forget(int descriptor) { control(EPOLL_CTL_DEL, descriptor, 0, nullptr); }

uint64_t EventLoop::at(Time time, Call due) {
  const uint64_t timer = ++last_timer_;
  timers_.emplace(std::pair(time, timer), std::move(due));
  times_.emplace(timer, time);
  return timer;
}

void EventLoop::cancel(uint64_t timer) {
  const auto found = times_.find(timer);
  if (found == times_.end()) return;
  timers_.erase({found->second, timer});
  times_.erase(found);
}

void EventLoop::post(Call call) {
  {
    const MutexLock lock(mutex_);
    posts_.push_back(std::move(call));
    if (posts_.size() > 1) return;  // the loop was woken for the first
  }
  wake();
}

void EventLoop::stop() {
  stopped_ = true;
  wake();
}

void EventLoop::wake() {
  const int before = errno;  // of whatever a signal interrupted
  const uint64_t one = 1;
  // Fails if the counter is full, and then the loop wakes all the same.
  [[maybe_unused]] const ssize_t written = ::write(wake_.number(), &one, sizeof one);
  errno = before;
}

void EventLoop::run(const std::function<bool()>& turn_end) {
  bool may_wait = true;
  while (!stopped_.exchange(false)) {
    serve_descriptors(may_wait);
    serve_posts();
    serve_timers();
    may_wait = !turn_end();
  }
}

void EventLoop::serve_descriptors(bool may_wait) {
  std::array<epoll_event, kEventsATurn> events;
  const int count = ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()),
                                 may_wait ? wait_ms() : 0);
  BERTH_ASSERT(count >= 0 || errno == EINTR);
  for (int i = 0; i < count; ++i) {
    if (auto* watcher = static_cast<Watcher*>(events[i].data.ptr)) {
      watcher->ready(events[i].events);
    } else {
      uint64_t woken = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_.number(), &woken, sizeof woken);
    }
  }
}

// Rounded up: a timer is never early.
int EventLoop::wait_ms() const {
  if (timers_.empty()) return -1;
  const Time wait = timers_.begin()->first.first - now();
  if (wait <= Time::zero()) return 0;
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  return static_cast<int>(std::min<int64_t>(ms, std::numeric_limits<int>::max()));
}

void EventLoop::serve_posts() {
  std::vector<Call> posts;
  {
    const MutexLock lock(mutex_);
    posts.swap(posts_);
  }
  for (const Call& call : posts) call();
}

// Timers that are set meanwhile wait for the next turn, so that a timer that sets itself anew
// cannot keep the loop from its descriptors.
void EventLoop::serve_timers() {
  const Time time = now();
  const uint64_t last = last_timer_;
  for (auto next = timers_.begin(); next != timers_.end() && next->first.first <= time;) {
    if (next->first.second > last) {
      ++next;
      continue;
    }
    const auto [due_at, timer] = next->first;
    const Call due = std::move(next->second);
    timers_.erase(next);
    times_.erase(timer);
    due();
    next = timers_.lower_bound({due_at, timer});
  }
}

}  // namespace berth::apiserver
