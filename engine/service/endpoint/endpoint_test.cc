// The endpoint over sockets of this machine.

#include "engine/service/endpoint/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/service/endpoint/testing/https_client.h"
#include "engine/service/endpoint/testing/test_authority.h"

namespace berth::service {
namespace {

using testing::body_of;
using testing::ClientHello;
using ::testing::ElementsAre;
using testing::get;
using ::testing::HasSubstr;
using testing::HttpsClient;
using testing::PemIdentity;
using ::testing::StartsWith;
using testing::status_of;
using testing::TestAuthority;
using Kind = Verdict::Kind;

class FixedAnswers : public Answers {
 public:
  std::string metrics() override { return "a_metric 1\n"; }
  std::string configuration() override { return R"({"componentconfig":{}})"; }
  std::vector<Check> checks() const override { return {}; }
};

const Verdict kAllowed{.kind = Kind::kAllowed, .user = {}, .reason = {}};

// The thread of the calls is the caller's.
class FixedReviewer : public Reviewer {
 public:
  void review(Asked asked, Done done) override {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(asked));
    dones_.push_back(done);
    arrived_.notify_all();
    if (verdict_) done(*verdict_);
  }
  // About the next requests. Nothing: they wait.
  void decide(std::optional<Verdict> verdict) {
    const std::lock_guard lock(mutex_);
    verdict_ = std::move(verdict);
  }
  // Waits for that many requests.
  std::vector<Asked> asked(size_t count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(
        arrived_.wait_for(lock, std::chrono::minutes(1), [&] { return asked_.size() >= count; }));
    return asked_;
  }
  Done done(size_t index) {
    const std::lock_guard lock(mutex_);
    return dones_.at(index);
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Verdict> verdict_ = kAllowed;
  std::vector<Asked> asked_;
  std::vector<Done> dones_;
};

startup::EndpointOptions on_any_port() {
  startup::EndpointOptions options;
  options.bind_address = "127.0.0.1";
  options.port = 0;
  return options;
}

std::string refused_options(const startup::EndpointOptions& options) {
  FixedAnswers answers;
  try {
    const Endpoint endpoint(options, answers, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

class EndpointTest : public ::testing::Test {
 protected:
  Access access() {
    return {.reviewer = &reviewer_, .post = [](const std::function<void()>& call) { call(); }};
  }

  FixedAnswers answers_;
  FixedReviewer reviewer_;
};

TEST_F(EndpointTest, ServesPagesWithTheirHeaders) {
  const Endpoint endpoint(on_any_port(), answers_, {});
  EXPECT_EQ(get(endpoint.port(), "/healthz?verbose"),
            "HTTP/1.1 200 OK\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Cache-Control: no-cache, private\r\n"
            "X-Content-Type-Options: nosniff\r\n"
            "Content-Length: 32\r\n\r\n"
            "[+]ping ok\nhealthz check passed\n");
  EXPECT_EQ(body_of(get(endpoint.port(), "/metrics")), "a_metric 1\n");
  EXPECT_EQ(body_of(get(endpoint.port(), "/configz")), R"({"componentconfig":{}})");
  EXPECT_EQ(status_of(get(endpoint.port(), "/")), 404);
}

TEST_F(EndpointTest, KeepsAConnection) {
  const Endpoint endpoint(on_any_port(), answers_, {});
  HttpsClient client(endpoint.port());
  // Both at once.
  client.send("HEAD /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string head = client.answer(true);
  EXPECT_EQ(status_of(head), 200);
  EXPECT_THAT(head, HasSubstr("Content-Length: 2\r\n"));
  EXPECT_EQ(body_of(client.answer()), "ok");
  client.send("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(body_of(client.answer()), "ok");
  EXPECT_TRUE(client.at_end());
}

TEST_F(EndpointTest, RefusesOtherRequests) {
  const Endpoint endpoint(on_any_port(), answers_, {});
  const auto status = [&](const std::string& text) {
    HttpsClient client(endpoint.port());
    client.send(text);
    return status_of(client.answer());
  };
  EXPECT_EQ(status("POST /livez HTTP/1.1\r\nHost: a\r\n\r\n"), 405);
  EXPECT_EQ(status("GET http://a/livez HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(status("nonsense\r\n\r\n"), 400);
  EXPECT_EQ(status("GET /livez HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"), 413);
  EXPECT_EQ(status("GET /livez HTTP/1.1\r\nA: " + std::string(20'000, 'a') + "\r\n\r\n"), 431);
}

TEST_F(EndpointTest, AsksAboutEachRequest) {
  const Endpoint endpoint(on_any_port(), answers_, access());
  EXPECT_EQ(status_of(get(endpoint.port(), "/metrics?a=b", "Authorization: Bearer secret\r\n")),
            200);
  const std::vector<Asked> asked = reviewer_.asked(1);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].token, "secret");
  EXPECT_EQ(asked[0].path, "/metrics");
  EXPECT_EQ(asked[0].verb, "get");
  EXPECT_EQ(asked[0].by_certificate, std::nullopt);
  EXPECT_FALSE(asked[0].bad_certificate);
}

TEST_F(EndpointTest, ShowsVerdicts) {
  const Endpoint endpoint(on_any_port(), answers_, access());
  reviewer_.decide(Verdict{.kind = Kind::kUnauthenticated, .user = {}, .reason = {}});
  EXPECT_EQ(status_of(get(endpoint.port(), "/metrics")), 401);
  reviewer_.decide(Verdict{.kind = Kind::kForbidden, .user = "jane", .reason = {}});
  EXPECT_THAT(body_of(get(endpoint.port(), "/metrics")),
              HasSubstr(R"(User \"jane\" cannot get path \"/metrics\")"));
  reviewer_.decide(Verdict{.kind = Kind::kFailed, .user = {}, .reason = "no server"});
  EXPECT_EQ(body_of(get(endpoint.port(), "/metrics")),
            "Internal Server Error: \"/metrics\": no server\n");
}

TEST_F(EndpointTest, WaitsForAVerdictAndTakesTheFirst) {
  const Endpoint endpoint(on_any_port(), answers_, access());
  reviewer_.decide(std::nullopt);
  HttpsClient client(endpoint.port());
  client.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  reviewer_.asked(1);
  // Others are served in the meantime; this one then has its turn.
  HttpsClient other(endpoint.port());
  other.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  reviewer_.asked(2);
  reviewer_.done(1)(kAllowed);
  EXPECT_EQ(status_of(other.answer()), 200);
  reviewer_.done(0)({.kind = Kind::kForbidden, .user = {}, .reason = {}});
  reviewer_.done(0)(kAllowed);
  EXPECT_EQ(status_of(client.answer()), 403);
}

TEST_F(EndpointTest, MayEndBeforeAVerdict) {
  reviewer_.decide(std::nullopt);
  std::optional<HttpsClient> client;
  {
    const Endpoint endpoint(on_any_port(), answers_, access());
    client.emplace(endpoint.port());
    client->send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    reviewer_.asked(1);
  }
  EXPECT_EQ(client->answer(), "");
  reviewer_.done(0)(kAllowed);
}

TEST_F(EndpointTest, KnowsClientsByTheirCertificates) {
  const TestAuthority authority("clients"), stranger("strangers");
  Endpoint endpoint(on_any_port(), answers_, access());
  const ClientHello jane{.identity = authority.issue("jane", {"ops", "dev"})};
  size_t count = 0;
  const auto asked = [&](const ClientHello& hello) {
    EXPECT_EQ(status_of(get(endpoint.port(), "/livez", "", hello)), 200);
    return reviewer_.asked(++count).back();
  };
  // Without authorities no certificate is looked at.
  EXPECT_EQ(asked(jane).by_certificate, std::nullopt);
  endpoint.set_client_authorities(stranger.certificate() + authority.certificate());
  const Asked known = asked(jane);
  ASSERT_TRUE(known.by_certificate);
  EXPECT_EQ(known.by_certificate->name, "jane");
  EXPECT_THAT(known.by_certificate->groups, ElementsAre("ops", "dev"));
  ASSERT_EQ(known.by_certificate->extra.size(), 1u);
  EXPECT_EQ(known.by_certificate->extra[0].first, "authentication.kubernetes.io/credential-id");
  EXPECT_THAT(known.by_certificate->extra[0].second, ElementsAre(StartsWith("X509SHA256=")));
  EXPECT_FALSE(known.bad_certificate);
  const Asked nameless = asked({.identity = authority.issue("", {"ops"})});
  EXPECT_EQ(nameless.by_certificate, std::nullopt);
  EXPECT_FALSE(nameless.bad_certificate);
  EXPECT_TRUE(asked({.identity = authority.issue("s", {}, "serverAuth")}).bad_certificate);
  endpoint.set_client_authorities(stranger.certificate());
  const Asked unknown = asked(jane);
  EXPECT_EQ(unknown.by_certificate, std::nullopt);
  EXPECT_TRUE(unknown.bad_certificate);
  // What cannot be used changes nothing.
  endpoint.set_client_authorities("nonsense");
  EXPECT_TRUE(asked(jane).bad_certificate);
  endpoint.set_client_authorities("");
  EXPECT_FALSE(asked(jane).bad_certificate);
}

TEST_F(EndpointTest, SpeaksTls12AndLater) {
  const Endpoint endpoint(on_any_port(), answers_, {});
  EXPECT_TRUE(HttpsClient(endpoint.port(), {.most_version = TLS1_2_VERSION}).connected());
  EXPECT_FALSE(HttpsClient(endpoint.port(), {.most_version = TLS1_1_VERSION}).connected());
  EXPECT_EQ(HttpsClient(endpoint.port()).server_name(), "localhost");
}

TEST_F(EndpointTest, EndsTheOldestOfTooManyConnections) {
  const Endpoint endpoint(on_any_port(), answers_, {});
  constexpr size_t kMost = 256;
  HttpsClient first(endpoint.port());
  HttpsClient second(endpoint.port());
  const auto use = [](HttpsClient& client) {
    client.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(status_of(client.answer()), 200);
  };
  use(second);
  use(first);
  std::vector<std::unique_ptr<HttpsClient>> others;
  while (others.size() < kMost - 1)
    others.push_back(std::make_unique<HttpsClient>(endpoint.port()));
  EXPECT_TRUE(second.at_end());
  use(first);
}

TEST(Endpoint, ListensOnAllAddresses) {
  FixedAnswers answers;
  for (const char* address : {"0.0.0.0", "::"}) {
    const Endpoint endpoint({.bind_address = address, .port = 0}, answers, {});
    EXPECT_EQ(status_of(get(endpoint.port(), "/livez")), 200) << address;
  }
}

TEST(Endpoint, RefusesWhatItCannotUse) {
  EXPECT_THAT(refused_options({.bind_address = "localhost", .port = 0}),
              StartsWith("--bind-address: expected an IP address"));
  FixedAnswers answers;
  const Endpoint endpoint(on_any_port(), answers, {});
  EXPECT_THAT(refused_options({.bind_address = "127.0.0.1", .port = endpoint.port()}),
              HasSubstr("cannot listen on 127.0.0.1 port"));
  startup::EndpointOptions options = on_any_port();
  options.files.certificate = "/nowhere/a";
  EXPECT_THAT(refused_options(options), HasSubstr("have to be given together"));
  options.files.key = "/nowhere/b";
  EXPECT_EQ(refused_options(options),
            "--tls-cert-file: cannot use the certificate in /nowhere/a: No such file or directory");
}

class CertificateFilesTest : public EndpointTest {
 protected:
  CertificateFilesTest() {
    std::filesystem::create_directories(folder_);
    options_.files = {.certificate = folder_ / "cert.pem", .key = folder_ / "key.pem"};
  }
  ~CertificateFilesTest() override { std::filesystem::remove_all(folder_); }

  // As a new file, which takes the place of the former.
  void put(const std::string& path, const std::string& text) {
    std::ofstream(path + ".new") << text;
    std::filesystem::rename(path + ".new", path);
  }
  void put(const PemIdentity& identity) {
    put(options_.files.certificate, identity.certificate);
    put(options_.files.key, identity.key);
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("endpoint_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  startup::EndpointOptions options_ = on_any_port();
  const TestAuthority authority_{"servers"};
};

TEST_F(CertificateFilesTest, AreReadAgainWhenTheyChange) {
  put(authority_.issue("one", {}, "serverAuth"));
  const Endpoint endpoint(options_, answers_, {});
  const auto name = [&] { return HttpsClient(endpoint.port()).server_name(); };
  EXPECT_EQ(name(), "one");
  const PemIdentity two = authority_.issue("two", {}, "serverAuth");
  // Half of it is of no use.
  put(options_.files.certificate, two.certificate);
  EXPECT_EQ(name(), "one");
  put(options_.files.key, two.key);
  EXPECT_EQ(name(), "two");
  std::filesystem::remove(options_.files.key);
  EXPECT_EQ(name(), "two");
}

TEST_F(CertificateFilesTest, BelongTogether) {
  put(authority_.issue("one", {}, "serverAuth"));
  put(options_.files.key, authority_.issue("two", {}, "serverAuth").key);
  EXPECT_THAT(refused_options(options_), HasSubstr("--tls-private-key-file: "));
  put(options_.files.key, "nonsense");
  EXPECT_THAT(refused_options(options_), HasSubstr("--tls-private-key-file: cannot use the key"));
}

}  // namespace
}  // namespace berth::service
