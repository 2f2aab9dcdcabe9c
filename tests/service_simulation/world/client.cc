#include "tests/service_simulation/world/client.h"

#include <map>
#include <memory>
#include <utility>

#include "engine/base/assert.h"
#include "tests/apiserver/virtual/target.h"

namespace berth::service_simulation {
namespace {

class Collected : public apiserver::Reply {
 public:
  void begin(int status, std::map<std::string, std::string>) override { response.status = status; }
  void write(std::string_view part) override { response.body += part; }
  void end() override { ended = true; }
  void cut() override {}
  bool open() const override { return true; }

  Response response;
  bool ended = false;
};

}  // namespace

Response Client::call(std::string_view method, std::string_view target, std::string body,
                      std::string type) {
  apiserver::Request request;
  request.method = method;
  BERTH_ASSERT(apiserver::parse_target(target, request.path, request.query));
  if (!type.empty()) request.headers["content-type"] = std::move(type);
  request.body = std::move(body);
  const auto reply = std::make_shared<Collected>();
  server_.handle_without_faults(request, reply);
  BERTH_ASSERT(reply->ended);
  return std::move(reply->response);
}

}  // namespace berth::service_simulation
