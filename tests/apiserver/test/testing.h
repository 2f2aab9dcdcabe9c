#pragma once

// A server on a clock that stands until it is moved, and a client that records what it gets.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/apiserver/api/backlog.h"
#include "tests/apiserver/api/server.h"
#include "tests/apiserver/objects/json.h"

namespace berth::apiserver::testing {

class ManualClock : public Clock {
 public:
  Nanoseconds now() const override { return now_; }
  void at(Nanoseconds time, std::function<void()> due) override {
    timers_.emplace(time, std::move(due));
  }
  void pass(Nanoseconds wait);

 private:
  Nanoseconds now_ = 1'700'000'000 * kSecond;  // 2023-11-14T22:13:20Z
  std::multimap<Nanoseconds, std::function<void()>> timers_;
};

// What came of an answer.
class Recorded : public Backlog {
 public:
  void begin(int status_given, std::map<std::string, std::string> headers_given) override;
  void write(std::string_view part) override;
  void end() override;
  void cut() override;
  bool open() const override { return !left; }
  uint64_t waiting() const override { return slow ? body.size() : 0; }

  json::value tree() const { return json::parse(body); }
  // "TYPE NAME" of each event of a watch since the last call; of a bookmark its revision.
  std::vector<std::string> events();

  int status = 0;
  std::map<std::string, std::string> headers;
  std::string body;
  bool ended = false, broken = false;
  bool left = false;  // the client went
  bool slow = false;  // the client takes nothing

 private:
  size_t read_ = 0;
};

class Server : public ::testing::Test {
 protected:
  Server() { restart({}); }

  void restart(Options options) { server = std::make_unique<ApiServer>(std::move(options), clock); }

  // `target`: a path with its query, not encoded.
  std::shared_ptr<Recorded> start(std::string method, std::string_view target,
                                  std::string body = {},
                                  std::map<std::string, std::string> headers = {});
  // The same where the answer comes at once.
  Recorded call(std::string method, std::string_view target, std::string body = {},
                std::map<std::string, std::string> headers = {});
  Recorded patch(std::string_view target, std::string body,
                 std::string type = "application/strategic-merge-patch+json");
  std::shared_ptr<Recorded> watch(std::string_view target, std::string_view query = {});

  // Requires 2xx.
  json::value get(std::string_view target);
  json::value create(std::string_view collection, std::string body);
  void add_pod(std::string_view name, std::string_view spec = "{}", std::string_view metadata = "");
  void add_node(std::string_view name, std::string_view labels = "{}");
  Recorded bind(std::string_view pod, std::string_view node, std::string_view metadata = "");

  ManualClock clock;
  std::unique_ptr<ApiServer> server;
};

// The code, reason and message of a Status: "404 NotFound: pods \"x\" not found".
std::string problem_of(const Recorded& answer);
std::vector<std::string> names_of(const json::value& list);

inline constexpr char kPods[] = "/api/v1/namespaces/default/pods";
inline constexpr char kNodes[] = "/api/v1/nodes";

}  // namespace berth::apiserver::testing
