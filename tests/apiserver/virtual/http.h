#pragma once

// Requests of a client to a server on the same thread, in virtual time. How long each way takes is
// drawn by a seed, so equal seeds give equal histories. An answer's parts keep their order, answers
// of different requests do not. A request that is cancelled on its way is handled all the same.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/kube/http/http.h"
#include "tests/apiserver/api/exchange.h"
#include "tests/apiserver/virtual/loop.h"

namespace berth::apiserver {

struct Network {
  uint64_t seed = 1;
  Time least{}, most{};         // that one way takes
  double refused = 0;           // the share of requests that end as kNotSent
  size_t largest_part = 16384;  // of a body; parts have from 1 to so many bytes
};

class VirtualHttp : public kube::Http {
 public:
  // All outlive this, and the server the loop's timers. Once this is gone, requests on their way
  // are handled, and their answers are passed over.
  VirtualHttp(VirtualLoop& loop, Handler& server, Network network)
      : VirtualHttp(loop, loop, server, network) {}
  // `client` is the loop of the client, which may be late: there answers come, while requests come
  // to the server in time.
  VirtualHttp(VirtualLoop& loop, kube::Loop& client, Handler& server, Network network)
      : loop_(loop), client_(client), server_(server), network_(network) {}
  ~VirtualHttp() override;
  VirtualHttp(const VirtualHttp&) = delete;
  VirtualHttp& operator=(const VirtualHttp&) = delete;

  uint64_t send(kube::Request request, Done done) override;
  uint64_t stream(kube::Request request, Data data, Done done) override;
  void cancel(uint64_t request) override;

  // Without connection, new requests are not sent. Those that are open break: those that the server
  // has seen are lost, others never come there.
  void set_connected(bool connected);
  size_t open() const { return exchanges_.size(); }

 private:
  struct Exchange;
  class Answering;
  using ExchangePtr = std::shared_ptr<Exchange>;

  uint64_t start(kube::Request request, Data data, Done done);
  static void arrive(Handler& server, const ExchangePtr& exchange);
  // Calls `step` when what the server did has come to the client, unless the request ended.
  void deliver(const ExchangePtr& exchange, std::function<void()> step);
  void break_off(const ExchangePtr& exchange, std::string why);
  void finish(const ExchangePtr& exchange, kube::Answer::Fate fate, std::string error);
  uint64_t draw();
  Time draw_way();
  bool draw_refusal();

  VirtualLoop& loop_;
  kube::Loop& client_;
  Handler& server_;
  const Network network_;
  bool connected_ = true;
  uint64_t draws_ = 0, last_ = 0;
  std::map<uint64_t, ExchangePtr> exchanges_;  // those that have not ended
};

}  // namespace berth::apiserver
