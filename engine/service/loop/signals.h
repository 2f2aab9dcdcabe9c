#pragma once

// Signals that ask a service for something: SIGTERM and SIGINT to end, SIGUSR2 to show its state.

#include <functional>
#include <thread>

namespace berth::service {

// While it lives the three signals do nothing but call `take`, on a thread of its own. Make it
// before other threads, which take over what is blocked. Throws std::system_error.
class Signals {
 public:
  explicit Signals(std::function<void(int signal)> take);
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals();

 private:
  void run();

  const std::function<void(int)> take_;
  int signals_ = -1;  // signalfd
  int end_ = -1;      // eventfd
  std::thread thread_;
};

}  // namespace berth::service
