// TLS: what a client accepts of a server, and shows to it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/kube/config/testing.h"
#include "engine/kube/http/network.h"
#include "engine/kube/http/testing/client.h"
#include "engine/kube/http/testing/test_server.h"

namespace berth::kube {
namespace {

using Fate = Answer::Fate;
using extenders::Authority;
using extenders::Identity;
using testing::HasSubstr;

// Answers with the name that the client asked for, the host of its request, and its own name.
void answer_who(Peer& peer, int) {
  for (std::string request; !(request = peer.read_request()).empty();)
    peer.answer(peer.server_name() + "|" + header_in(request, "Host") + "|" + peer.client());
}

class NetworkTls : public testing::Test {
 protected:
  Connection to(const TestServer& server) const {
    Connection connection = connection_to(server.url());
    connection.ca.data = authority_.certificate();
    return connection;
  }
  static std::string host(const TestServer& server) {
    return "127.0.0.1:" + std::to_string(server.port());
  }
  static Answer answer(const Connection& connection) {
    return TestClient(connection).ask(get("/"));
  }
  static void expect_refused(const Connection& connection, const std::string& why) {
    const Answer refused = answer(connection);
    EXPECT_EQ(refused.fate, Fate::kNotSent);
    EXPECT_EQ(refused.status, 0);
    EXPECT_THAT(refused.error, HasSubstr(why));
  }

  const Authority authority_{"the authority"};
  const Authority other_{"another authority"};
  const Identity addressed_ = authority_.issue("server", "IP:127.0.0.1");
  const Identity named_ = authority_.issue("server", "DNS:kube.test");
  TestFolder folder_;
};

TEST_F(NetworkTls, KnowsTheServerByItsAuthority) {
  TestServer server(answer_who, {addressed_, {}});
  Connection connection = to(server);
  EXPECT_EQ(answer(connection).body, "|" + host(server) + "|");
  connection.ca.file = folder_.write("ca", std::exchange(connection.ca.data, ""));
  EXPECT_EQ(answer(connection).body, "|" + host(server) + "|");
}

TEST_F(NetworkTls, RefusesAServerOfAnotherAuthority) {
  TestServer server(answer_who, {addressed_, {}});
  Connection connection = to(server);
  connection.ca.data = other_.certificate();
  expect_refused(connection, "certificate");
  connection.ca = {};  // the system's
  expect_refused(connection, "certificate");
  connection.insecure = true;
  EXPECT_TRUE(answer(connection).ok());
}

TEST_F(NetworkTls, RefusesWhatIsNoCertificate) {
  TestServer server(answer_who, {addressed_, {}});
  Connection connection = to(server);
  connection.ca = {.data = "x", .file = {}};
  expect_refused(connection, "");
  connection.ca = {.data = {}, .file = folder_.at("absent")};
  expect_refused(connection, folder_.at("absent"));
  connection = to(server);
  connection.certificate.data = connection.key.data = "x";
  expect_refused(connection, "");
}

TEST_F(NetworkTls, ExpectsTheNameOfTheServer) {
  TestServer server(answer_who, {named_, {}});
  Connection connection = to(server);
  expect_refused(connection, "127.0.0.1");
  connection.tls_server_name = "kube.test";
  EXPECT_EQ(answer(connection).body, "kube.test|" + host(server) + "|");
  connection.tls_server_name = "other.test";
  expect_refused(connection, "other.test");
}

TEST_F(NetworkTls, ANameMayBeAnAddressAndTheServerMayHaveAPath) {
  TestServer server([](Peer& peer, int) { peer.answer(peer.read_request()); },
                    {authority_.issue("server", "IP:fd00::1,IP:10.0.0.1"), {}});
  Connection connection = to(server);
  connection.server += "/prefix/x";
  for (const char* name : {"fd00::1", "10.0.0.1"}) {
    connection.tls_server_name = name;
    const std::string request = answer(connection).body;
    EXPECT_TRUE(request.starts_with("GET /prefix/x/ HTTP/1.1\r\n")) << request;
    EXPECT_EQ(header_in(request, "Host"), host(server));
  }
}

TEST_F(NetworkTls, ShowsItsCertificate) {
  TestServer server(answer_who, {addressed_, other_.certificate()});
  const Identity own = other_.issue("berth", "");
  Connection connection = to(server);
  EXPECT_NE(answer(connection).fate, Fate::kAnswered);
  connection.certificate.data = own.certificate;
  connection.key.data = own.key;
  EXPECT_EQ(answer(connection).body, "|" + host(server) + "|berth");
  connection.certificate = {.data = {}, .file = folder_.write("cert", own.certificate)};
  connection.key = {.data = {}, .file = folder_.write("key", own.key)};
  EXPECT_EQ(answer(connection).body, "|" + host(server) + "|berth");
}

// JSON text of PEM: its line breaks are escaped.
std::string json_of_pem(std::string text) {
  for (size_t at = 0; (at = text.find('\n', at)) != text.npos;) text.replace(at, 1, "\\n");
  return text;
}

TEST_F(NetworkTls, ShowsTheCertificateThatAPluginPrintedLast) {
  TestServer server(
      [](Peer& peer, int) {
        for (std::string request; !(request = peer.read_request()).empty();)
          peer.answer(peer.client(), peer.client() == "first" ? "401 Unauthorized" : "200 OK");
      },
      {addressed_, other_.certificate()});
  for (const char* name : {"first", "second"}) {
    const Identity own = other_.issue(name, "");
    folder_.write(name, R"({"kind":"ExecCredential","apiVersion":)"
                        R"("client.authentication.k8s.io/v1","status":{"clientCertificateData":")" +
                            json_of_pem(own.certificate) + R"(","clientKeyData":")" +
                            json_of_pem(own.key) + "\"}}");
  }
  Connection connection = to(server);
  connection.exec.emplace();
  connection.exec->api_version = "client.authentication.k8s.io/v1";
  connection.exec->command = "sh";
  connection.exec->args = {
      "-c", "cd '" + folder_.at("") + "'; [ -f once ] && cat second || cat first; >once"};
  TestClient client(connection);
  EXPECT_EQ(client.ask(get("/")).body, "first");
  EXPECT_EQ(client.ask(get("/")).body, "second");
  EXPECT_EQ(client.ask(get("/")).body, "second");
  EXPECT_EQ(server.connections(), 2);
}

}  // namespace
}  // namespace berth::kube
