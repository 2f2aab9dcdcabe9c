#include "engine/service/network/metered_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "engine/kube/http/limited_http.h"
#include "engine/kube/testing/fake_http.h"
#include "engine/kube/testing/fake_loop.h"

namespace berth::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

class MeteredHttpTest : public testing::Test {
 protected:
  // The rests of the lines of the text that begin so.
  std::vector<std::string> lines(const std::string& name) const {
    std::vector<std::string> found;
    std::istringstream text(metrics_.collect());
    for (std::string line; std::getline(text, line);)
      if (line.starts_with(name)) found.push_back(line.substr(name.size()));
    return found;
  }
  static kube::Request request(kube::Method method, const std::string& path) {
    kube::Request made;
    made.method = method;
    made.path = path;
    return made;
  }
  static uint64_t stream(kube::Http& http, const std::string& path) {
    return http.stream(
        request(kube::Method::kGet, path), [](std::string_view) {}, [](const kube::Answer&) {});
  }
  void send(kube::Http& http, kube::Method method) {
    http.send(request(method, "/a"), [this](const kube::Answer&) { ++ends_; });
  }
  void answer(const kube::Answer& answer) { wire_.answer(wire_.open().front().number, answer); }
  static kube::Answer with_status(int status) {
    kube::Answer answer;
    answer.status = status;
    return answer;
  }

  kube::FakeLoop loop_;
  kube::FakeHttp wire_;
  ClientMetrics metrics_;
  MeteredHttp http_{wire_, loop_, metrics_, "server:6443"};
  int ends_ = 0;
};

TEST_F(MeteredHttpTest, RequestsAreCountedAndTimedWhenTheyEnd) {
  send(http_, kube::Method::kGet);
  send(http_, kube::Method::kPost);
  send(http_, kube::Method::kPost);
  loop_.advance(milliseconds(25));
  EXPECT_THAT(lines("rest_client"), IsEmpty());
  answer(with_status(200));
  loop_.advance(seconds(2));
  answer(with_status(409));
  kube::Answer lost;
  lost.fate = kube::Answer::Fate::kLost;
  answer(lost);
  EXPECT_EQ(ends_, 3);
  EXPECT_THAT(lines("rest_client_requests_total"),
              ElementsAre(R"({code="200",host="server:6443",method="GET"} 1)",
                          R"({code="409",host="server:6443",method="POST"} 1)",
                          R"({code="<error>",host="server:6443",method="POST"} 1)"));
  EXPECT_THAT(lines("rest_client_request_duration_seconds_sum"),
              ElementsAre(R"({host="server:6443",verb="GET"} 0.025)",
                          R"({host="server:6443",verb="POST"} 4.05)"));
  EXPECT_THAT(lines(R"(rest_client_request_duration_seconds_bucket{host="server:6443",verb="GET")"),
              ElementsAre(R"(,le="0.005"} 0)", R"(,le="0.025"} 1)", R"(,le="0.1"} 1)",
                          R"(,le="0.25"} 1)", R"(,le="0.5"} 1)", R"(,le="1"} 1)", R"(,le="2"} 1)",
                          R"(,le="4"} 1)", R"(,le="8"} 1)", R"(,le="15"} 1)", R"(,le="30"} 1)",
                          R"(,le="60"} 1)", R"(,le="+Inf"} 1)"));
}

TEST_F(MeteredHttpTest, AWatchIsCountedAndAListIsTimed) {
  const auto ends = [&](const char* path) {
    stream(http_, path);
    loop_.advance(seconds(1));
    answer(with_status(200));
  };
  ends("/api/v1/pods?limit=500");
  ends("/api/v1/pods?watch=true");
  http_.cancel(stream(http_, "/api/v1/nodes?watch=true"));
  EXPECT_THAT(wire_.open(), IsEmpty());
  EXPECT_THAT(lines("rest_client_requests_total"),
              ElementsAre(R"({code="200",host="server:6443",method="GET"} 2)"));
  EXPECT_THAT(lines("rest_client_request_duration_seconds_count"),
              ElementsAre(R"({host="server:6443",verb="GET"} 1)"));
}

TEST_F(MeteredHttpTest, WaitsForTheRateLimitAreThoseOfEachTurn) {
  kube::LimitedHttp limited(http_, loop_, 10, 1, [&](kube::Method method, Time waited) {
    metrics_.waited(method, "server:6443", waited);
  });
  for (int i = 0; i < 3; ++i) send(limited, kube::Method::kPatch);
  loop_.advance(seconds(1));
  EXPECT_THAT(lines("rest_client_rate_limiter_duration_seconds_count"),
              ElementsAre(R"({host="server:6443",verb="PATCH"} 3)"));
  // None, 100 ms and 200 ms.
  EXPECT_THAT(lines("rest_client_rate_limiter_duration_seconds_sum"),
              ElementsAre(R"({host="server:6443",verb="PATCH"} 0.3)"));
}

TEST_F(MeteredHttpTest, DroppedEventsAreCounted) {
  EXPECT_THAT(lines("berth_events_dropped_total"), ElementsAre(" 0"));
  metrics_.events_dropped(3);
  metrics_.events_dropped(3);
  metrics_.events_dropped(5);
  EXPECT_THAT(lines("berth_events_dropped_total"), ElementsAre(" 5"));
}

TEST_F(MeteredHttpTest, TheLeaseIsHeldOrNot) {
  EXPECT_THAT(lines("leader_election_master_status"), IsEmpty());
  metrics_.leads("kube-scheduler", false);
  EXPECT_THAT(lines("leader_election_master_status"), ElementsAre(R"({name="kube-scheduler"} 0)"));
  metrics_.leads("kube-scheduler", true);
  EXPECT_THAT(lines("leader_election_master_status"), ElementsAre(R"({name="kube-scheduler"} 1)"));
}

TEST(HostOf, IsThatOfTheUrl) {
  EXPECT_EQ(host_of("https://a.example:6443/prefix"), "a.example:6443");
  EXPECT_EQ(host_of("http://[::1]:80"), "[::1]:80");
}

}  // namespace
}  // namespace berth::service
