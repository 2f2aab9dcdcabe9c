#include "tests/apiserver/net/tls/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apiserver/net/http/http2.h"
#include "tests/apiserver/net/testing/fetch.h"
#include "tests/apiserver/net/testing/raw_client.h"
#include "tests/apiserver/net/testing/running_server.h"

namespace berth::apiserver {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Keys take time to make, so all tests share them.
const Authority& authority() {
  static const Authority made;
  return made;
}

TlsOptions tls_options() {
  static const Identity identity = authority().server();
  return {identity.certificate, identity.key, authority().certificate()};
}

ServerOptions server_options() {
  ServerOptions options;
  options.tls = tls_options();
  return options;
}

FetchOptions over_tls(bool http2 = true) {
  FetchOptions options;
  options.http2 = http2;
  options.authority = authority().certificate();
  return options;
}

std::string fault(const TlsOptions& options) {
  try {
    const TlsContext context(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Tls, ServesBothProtocols) {
  RunningServer server(server_options());
  Fetched fetched = fetch(server.port(), "/x", over_tls());
  EXPECT_EQ(fetched.code, CURLE_OK);
  EXPECT_EQ(fetched.version, CURL_HTTP_VERSION_2_0);
  EXPECT_EQ(fetched.body, "GET /x\n\n");
  fetched = fetch(server.port(), "/x", over_tls(false));
  EXPECT_EQ(fetched.code, CURLE_OK);
  EXPECT_EQ(fetched.version, CURL_HTTP_VERSION_1_1);
  EXPECT_EQ(fetched.body, "GET /x\n\n");
}

TEST(Tls, CarriesLargeBodiesAndManyStreams) {
  RunningServer server(server_options());
  EXPECT_EQ(fetch(server.port(), "/large?bytes=9000000", over_tls(false)).body, pattern(9'000'000));
  FetchOptions upload = over_tls();
  upload.method = "PUT";
  upload.body = pattern(3'000'000);
  EXPECT_EQ(fetch(server.port(), "/length", upload).body, "3000000");
  const std::vector<Fetched> all =
      fetch_all(server.port(), std::vector<std::string>(200, "/parts?count=9"), over_tls());
  for (const Fetched& fetched : all) EXPECT_TRUE(fetched.body.ends_with("\npart 8\n"));
}

TEST(Tls, CutsAtEachByte) {
  RunningServer server(server_options());
  for (size_t at = 0; at <= 10; ++at) {
    const std::string target = "/cut?at=" + std::to_string(at);
    EXPECT_EQ(fetch(server.port(), target, over_tls()).code, CURLE_HTTP2_STREAM);
    const Fetched fetched = fetch(server.port(), target, over_tls(false));
    EXPECT_EQ(fetched.code, CURLE_PARTIAL_FILE);
    EXPECT_EQ(fetched.body, pattern(at));
  }
}

TEST(Tls, NamesTheUserOfACertificate) {
  RunningServer server(server_options());
  for (const bool http2 : {true, false}) {
    FetchOptions options = over_tls(http2);
    options.headers = {"X-Remote-User: admin"};
    EXPECT_EQ(fetch(server.port(), "/", options).body, "GET /\n\n");
    options.client = authority().client("system:kube-scheduler", {"system:masters"});
    EXPECT_EQ(fetch(server.port(), "/", options).body,
              "GET /\nx-remote-user: system:kube-scheduler\n\n");
  }
}

TEST(Tls, RefusesAForeignCertificate) {
  RunningServer server(server_options());
  FetchOptions options = over_tls();
  options.client = Authority("foreign").client("admin");
  EXPECT_NE(fetch(server.port(), "/", options).code, CURLE_OK);
  options.client = {};
  options.authority = Authority("foreign").certificate();
  EXPECT_EQ(fetch(server.port(), "/", options).code, CURLE_PEER_FAILED_VERIFICATION);
  EXPECT_EQ(server.on_thread([&] { return server.handler().handled(); }), 0u);
  EXPECT_EQ(fetch(server.port(), "/", over_tls()).status, 200);
}

TEST(Tls, ClosesWhatIsNoHandshake) {
  RunningServer server(server_options());
  for (const std::string_view bytes :
       {std::string_view("GET / HTTP/1.1\r\n\r\n"), kHttp2Preface,
        std::string_view("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 10)}) {
    RawClient client(server.port());
    client.send(bytes);
    EXPECT_LE(client.read_all().size(), 7u);  // an alert, or nothing
  }
  EXPECT_EQ(fetch(server.port(), "/", over_tls()).status, 200);
}

TEST(Tls, NeedsACertificateAndItsKey) {
  EXPECT_EQ(fault(tls_options()), "none");
  TlsOptions options = tls_options();
  options.certificate = "nonsense";
  EXPECT_EQ(fault(options), "the server's certificate cannot be used: it is no PEM text");
  options.certificate = tls_options().certificate + authority().certificate();
  EXPECT_EQ(fault(options), "none");
  options.certificate.replace(40, 20, std::string(20, '!'));
  EXPECT_THAT(fault(options), StartsWith("the server's certificate cannot be used: "));
  options = tls_options();
  options.key = authority().server().key;
  EXPECT_THAT(fault(options), HasSubstr("key values mismatch"));
  options.key = "";
  EXPECT_THAT(fault(options), StartsWith("the server's key cannot be used: "));
  options = tls_options();
  options.client_authorities = "nonsense";
  EXPECT_EQ(fault(options), "the authorities of clients cannot be used: they are no PEM text");
}

}  // namespace
}  // namespace berth::apiserver
