#pragma once

// The network and the clock of the machine, for the parts of this module.
//
// Requests share few connections: HTTP/2 with many streams where a server behind TLS has it,
// otherwise HTTP/1.1 with a connection for each request under way, such as a watch. A connection
// whose peer is silent for half a minute, also at the level of TCP, is dropped.
//
// Urgent requests have connections of their own: libcurl opens connections for a burst of requests,
// and lets those that follow wait in the order of their coming.

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/kube/config/connection.h"
#include "engine/kube/credentials/credentials.h"
#include "engine/kube/http/endpoint.h"
#include "engine/kube/http/http.h"
#include "engine/kube/http/sockets.h"
#include "engine/kube/http/timers.h"
#include "engine/kube/http/transfer.h"
#include "engine/kube/loop.h"

namespace berth::kube {

struct NetworkOptions {
  std::string user_agent = "berth";
  // Of the body that an answer to send() has; one that has more is lost.
  size_t most_body = size_t{256} << 20;
  // A request that has no connection by then, or none is free, is not sent.
  Time connect_limit = std::chrono::seconds(30);
  // At most, not 0; requests beyond wait. With HTTP/1.1 every watch has one. Those of urgent
  // requests do not count.
  long connections = 64;
};

// The program ignores SIGPIPE, which OpenSSL raises where a peer has gone.
//
// All functions but run(), post() and stop() belong to the thread of run(), or to any one thread
// while it does not run. Functions that are handed over throw nothing. Timers and requests share
// one sequence of numbers.
class Network : public Loop, public Http {
 public:
  // Throws Error if the server's URL cannot be used. Connects to nothing.
  explicit Network(const Connection& connection, NetworkOptions options = {});
  // Ends all requests without calling their functions.
  ~Network() override;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  // Makes requests and calls functions, until stop(). May be called again.
  void run();
  // Ends run() soon; if it does not run, the next one at once. Any thread.
  void stop();
  // Calls the function in run(), after those that were posted before. Any thread.
  void post(std::function<void()> function);

  Time now() const override;
  int64_t wall() const override;
  uint64_t at(Time time, std::function<void()> due) override;
  uint64_t send(Request request, Done done) override;
  uint64_t stream(Request request, Data data, Done done) override;
  // Of a timer or a request.
  void cancel(uint64_t number) override;

 private:
  struct MultiDelete {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };

  uint64_t add(Request request, Data data, Done done);
  bool stopped();
  void run_posted();
  void begin_queued();
  void begin(Transfer& transfer, std::shared_ptr<const Credential> credential);
  void on_credential(std::shared_ptr<const Credential> credential, const std::string& fault);
  void perform(CURLM* pool);
  void pause() const;
  void wait();
  bool some_wait();
  void on_limit(uint64_t number, Time limit);
  void on_connect_limit(uint64_t number);
  void end(uint64_t number, Answer answer);
  void bury();
  // Takes the transfer from libcurl. Its handle can be used again.
  void detach(Transfer& transfer);
  CURLM* pool_of(const Transfer& transfer) const {
    return transfer.urgent() ? urgent_.get() : multi_.get();
  }
  bool on_thread() const;

  struct Flight {
    std::unique_ptr<Transfer> transfer;
    uint64_t limit = 0, connect_limit = 0;  // timers
  };

  const Connection connection_;
  const NetworkOptions options_;
  const Endpoint endpoint_;
  Sockets sockets_;  // before multi_, which closes them
  std::unique_ptr<CURLM, MultiDelete> multi_;
  std::unique_ptr<CURLM, MultiDelete> urgent_;  // for urgent requests
  size_t urgent_under_way_ = 0;
  std::thread::id runner_;
  Time performed_{};  // when libcurl was called last
  uint64_t numbers_ = 0;
  Timers timers_;
  std::unordered_map<uint64_t, Flight> flights_;
  std::deque<uint64_t> queued_;               // not begun; may have been cancelled
  std::vector<uint64_t> without_credential_;  // the same; a plugin runs
  std::deque<uint64_t> handed_over_;          // to libcurl, in order; some have begun or ended
  std::vector<std::unique_ptr<Transfer>> cancelled_;
  std::vector<Easy> idle_;

  Mutex mutex_;
  bool stopped_ BERTH_GUARDED_BY(mutex_) = false;
  std::vector<std::function<void()>> posted_ BERTH_GUARDED_BY(mutex_);

  Credentials credentials_;  // last: its thread posts
};

}  // namespace berth::kube
