#pragma once

// Those who use the cluster beside the scheduler that is tested: their requests have no faults and
// take no time.

#include <string>
#include <string_view>

#include "tests/apiserver/api/server.h"
#include "tests/apiserver/objects/json.h"

namespace berth::service_simulation {

struct Response {
  int status = 0;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

class Client {
 public:
  // The server outlives this.
  explicit Client(apiserver::ApiServer& server) : server_(server) {}

  Response get(std::string_view target) { return call("GET", target, {}, {}); }
  Response post(std::string_view target, const apiserver::json::value& body) {
    return call("POST", target, apiserver::to_text(body), "application/json");
  }
  Response patch(std::string_view target, const apiserver::json::value& body) {
    return call("PATCH", target, apiserver::to_text(body), "application/merge-patch+json");
  }
  // At once: no kubelet ends a pod.
  Response remove_now(std::string_view target) {
    return call("DELETE", target, R"({"gracePeriodSeconds":0})", "application/json");
  }
  Response remove(std::string_view target) { return call("DELETE", target, {}, {}); }

 private:
  Response call(std::string_view method, std::string_view target, std::string body,
                std::string type);

  apiserver::ApiServer& server_;
};

}  // namespace berth::service_simulation
