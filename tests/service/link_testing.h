#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/service/network/server_link.h"
#include "tests/apiserver/api/server.h"
#include "tests/apiserver/objects/json.h"
#include "tests/apiserver/virtual/http.h"
#include "tests/apiserver/virtual/loop.h"

namespace berth::service {

using namespace std::chrono_literals;

inline constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
inline constexpr std::string_view kEvents = "/apis/events.k8s.io/v1/events";

inline size_t count_in(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A link without an election, and a server in memory, in virtual time.
class Link : public ::testing::Test {
 protected:
  void start() {
    link.start(false);
    loop.run_for(1s);
    ASSERT_TRUE(link.synced());
    inbox.take();
    said.clear();
  }
  // The answer to a request of another client.
  kube::Answer ask(kube::Method method, std::string_view path, std::string body = {}) {
    std::optional<kube::Answer> answer;
    const bool patches = method == kube::Method::kPatch;
    kube::Request request{.method = method,
                          .path = std::string(path),
                          .content_type = patches        ? "application/merge-patch+json"
                                          : body.empty() ? ""
                                                         : "application/json",
                          .body = std::move(body)};
    other.send(std::move(request), [&](kube::Answer came) { answer = std::move(came); });
    loop.run_for(10ms);
    return answer.value_or(kube::Answer());
  }
  std::string get(std::string_view path) { return ask(kube::Method::kGet, path).body; }
  // A field of the object that was made.
  std::string create(std::string_view path, std::string body, std::string_view field) {
    const kube::Answer made = ask(kube::Method::kPost, path, std::move(body));
    EXPECT_EQ(made.status, 201) << made.body;
    return std::string(apiserver::text_at(apiserver::json::parse(made.body), field));
  }
  // Its UID.
  std::string create_pod(const std::string& name) {
    return create(kPods,
                  R"({"metadata":{"name":")" + name +
                      R"("},"spec":{"containers":)"
                      R"([{"name":"c","image":"i"}]}})",
                  "metadata.uid");
  }

  apiserver::VirtualLoop loop{1'700'000'000 * apiserver::kSecond};
  apiserver::VirtualClock clock{loop};
  apiserver::ApiServer server{{}, clock};
  apiserver::VirtualHttp http{loop, server, {.least = 1ms, .most = 1ms}};
  apiserver::VirtualHttp other{loop, server, {.least = 1ms, .most = 1ms}};
  Inbox inbox;
  std::vector<std::string> said;
  ClientMetrics metrics;
  ServerLink link{http,
                  loop,
                  [this](std::function<void()> call) { loop.at(loop.now(), std::move(call)); },
                  [this](const std::string& text) { said.push_back(text); },
                  inbox,
                  {.lease = {}, .writes = {}, .metrics = &metrics, .host = "server"}};
};

}  // namespace berth::service
