#pragma once

// Http whose requests are counted and timed.

#include <string>
#include <utility>

#include "engine/kube/http/http.h"
#include "engine/kube/loop.h"
#include "engine/service/network/client_metrics.h"

namespace berth::service {

// The thread of the loop. A request that is cancelled is not counted.
class MeteredHttp final : public kube::Http {
 public:
  // `host`: of the server, with its port. All but that outlive this.
  MeteredHttp(kube::Http& http, kube::Loop& loop, ClientMetrics& metrics, std::string host)
      : http_(http), loop_(loop), metrics_(metrics), host_(std::move(host)) {}

  uint64_t send(kube::Request request, Done done) override;
  uint64_t stream(kube::Request request, Data data, Done done) override;
  void cancel(uint64_t request) override { http_.cancel(request); }

 private:
  Done metered(const kube::Request& request, Done done);

  kube::Http& http_;
  kube::Loop& loop_;
  ClientMetrics& metrics_;
  const std::string host_;
};

// The host of a URL, with its port if it has one: "https://a:6443/b" has "a:6443".
std::string host_of(const std::string& url);

}  // namespace berth::service
