#pragma once

// A Kubernetes API server in memory. README.md says what it answers.
//
// It decides by its options, the requests and the clock alone: equal ones give equal answers, also
// UIDs. The event of a write is with its watches before the answer to the write.

#include <memory>

#include "tests/apiserver/api/clock.h"
#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/api/faults.h"
#include "tests/apiserver/api/options.h"

namespace berth::apiserver {

class Core;

// One thread. No function may be called within a call of a Reply.
class ApiServer : public Handler {
 public:
  // The clock outlives this.
  ApiServer(Options options, Clock& clock);
  ~ApiServer() override;
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;

  void handle(const Request& request, std::shared_ptr<Reply> reply) override;

  // The same without faults: for those around the client that is tested.
  void handle_without_faults(const Request& request, const std::shared_ptr<Reply>& reply) {
    dispatch(request, reply);
  }

  // For requests from now on.
  Faults& faults() { return faults_; }
  // Forgets the history: watches and lists from a former revision get 410.
  void compact();
  // Of the last write.
  uint64_t revision() const;
  size_t open_watches() const;

 private:
  void answer(const Request& request, const std::shared_ptr<Reply>& reply, const Fault& fault);
  void dispatch(const Request& request, const std::shared_ptr<Reply>& reply);
  void serve_resource(const Request& request, const std::shared_ptr<Reply>& reply);

  const Options options_;
  Faults faults_;
  std::unique_ptr<Core> core_;
};

}  // namespace berth::apiserver
