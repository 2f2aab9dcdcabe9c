// Extenders behind TLS: what the client accepts, and what it says of what it does not accept.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/write.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/extenders/http_client.h"
#include "engine/extenders/testing/certificates.h"
#include "engine/extenders/testing/tls_server.h"

namespace berth::extenders {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace asio = boost::asio;
using asio::ip::tcp;

std::string refused(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.message();
  }
  return "accepted";
}

class TlsTest : public ::testing::Test {
 protected:
  config::Extender extender(uint16_t port) const {
    config::Extender extender;
    extender.url_prefix = "https://127.0.0.1:" + std::to_string(port);
    extender.tls.emplace();
    return extender;
  }
  // That knows the authority and expects a server of that name.
  config::Extender knowing(uint16_t port, const std::string& server_name) const {
    config::Extender known = extender(port);
    known.tls->ca_data = authority_.certificate();
    known.tls->server_name = server_name;
    return known;
  }
  std::string answer(const config::Extender& extender) const {
    HttpClient client(extender);
    return client.post("filter", "1").body;
  }
  std::string refusal(const config::Extender& extender) const {
    return refused([&] { answer(extender); });
  }

  const Authority authority_{"the authority"};
  const Authority other_{"another authority"};
  const Identity named_ = authority_.issue("server", "DNS:extender.test,DNS:*.wild.test");
};

TEST_F(TlsTest, AServerOfTheAuthorityIsAccepted) {
  const TlsServer server(named_);
  EXPECT_EQ(answer(knowing(server.port(), "extender.test")),
            R"({"server":"extender.test","client":"","asked":1})");
  EXPECT_THAT(answer(knowing(server.port(), "a.wild.test")), HasSubstr("a.wild.test"));
}

TEST_F(TlsTest, AnAddressIsVerifiedAndNotSentAsAName) {
  const TlsServer server(authority_.issue("server", "IP:127.0.0.1"));
  EXPECT_EQ(answer(knowing(server.port(), "")), R"({"server":"","client":"","asked":1})");
  EXPECT_THAT(refusal(knowing(server.port(), "127.0.0.2")), HasSubstr("IP address mismatch"));
}

TEST_F(TlsTest, AConnectionIsKept) {
  const TlsServer server(named_);
  HttpClient client(knowing(server.port(), "extender.test"));
  for (int i = 0; i < 3; ++i)
    EXPECT_THAT(client.post("filter", std::to_string(i)).body,
                HasSubstr(R"("asked":)" + std::to_string(i)));
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(TlsTest, AServerOfAnotherAuthorityIsRefused) {
  const TlsServer server(other_.issue("server", "DNS:extender.test"));
  EXPECT_THAT(refusal(knowing(server.port(), "extender.test")),
              AllOf(StartsWith("cannot agree on TLS with 127.0.0.1:"),
                    HasSubstr("unable to get local issuer certificate")));
  config::Extender of_system = extender(server.port());
  of_system.tls->server_name = "extender.test";
  EXPECT_THAT(refusal(of_system), HasSubstr("unable to get local issuer certificate"));
}

// The subject's common name does not count, whatever it is.
TEST_F(TlsTest, AServerOfAnotherNameIsRefused) {
  const TlsServer server(named_);
  for (const char* name : {"other.test", "server", "a.b.wild.test", "wild.test"})
    EXPECT_THAT(refusal(knowing(server.port(), name)), HasSubstr("hostname mismatch")) << name;
  EXPECT_THAT(refusal(knowing(server.port(), "")), HasSubstr("IP address mismatch"));
  const TlsServer nameless(authority_.issue("extender.test", ""));
  EXPECT_THAT(refusal(knowing(nameless.port(), "extender.test")), HasSubstr("hostname mismatch"));
}

TEST_F(TlsTest, NothingIsVerifiedIfTheConfigurationSaysSo) {
  const TlsServer server(other_.issue("server", "DNS:elsewhere.test"));
  config::Extender insecure = extender(server.port());
  insecure.tls->insecure = true;
  EXPECT_THAT(answer(insecure), HasSubstr(R"("asked":1)"));
  config::Extender https = extender(server.port());
  https.enable_https = true;
  EXPECT_THAT(answer(https), HasSubstr(R"("asked":1)"));
  https.tls.reset();
  EXPECT_THAT(answer(https), HasSubstr(R"("asked":1)"));
  https = knowing(server.port(), "elsewhere.test");
  https.enable_https = true;
  EXPECT_THAT(refusal(https), HasSubstr("unable to get local issuer certificate"));
  insecure.tls->ca_data = authority_.certificate();
  EXPECT_THAT(refusal(insecure), StartsWith("a CA has no effect"));
}

TEST_F(TlsTest, AServerMayAskForACertificate) {
  const TlsServer server(named_, other_.certificate());
  config::Extender with = knowing(server.port(), "extender.test");
  EXPECT_THAT(refusal(with), HasSubstr("certificate required"));
  const Identity client = other_.issue("berth", "");
  with.tls->cert_data = client.certificate;
  with.tls->key_data = client.key;
  EXPECT_THAT(answer(with), HasSubstr(R"("client":"berth")"));
  const Identity unknown = authority_.issue("berth", "");
  with.tls->cert_data = unknown.certificate;
  with.tls->key_data = unknown.key;
  EXPECT_THAT(refusal(with), HasSubstr("unknown ca"));
  with.tls->cert_data = client.certificate;
  EXPECT_THAT(refusal(with), AllOf(StartsWith("cannot use the key"), HasSubstr("mismatch")));
  with.tls->key_data.clear();
  EXPECT_THAT(refusal(with), StartsWith("a certificate and its key"));
}

TEST_F(TlsTest, KeysAndCertificatesMayBeFiles) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("berth-tls-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const TlsServer server(named_, authority_.certificate());
  const Identity client = authority_.issue("berth", "");
  config::Extender with = extender(server.port());
  with.tls->server_name = "extender.test";
  with.tls->ca_file = file("ca.pem", other_.certificate() + authority_.certificate());
  with.tls->cert_file = file("client.pem", client.certificate);
  with.tls->key_file = file("key.pem", client.key);
  EXPECT_THAT(answer(with), HasSubstr(R"("client":"berth")"));
  with.tls->ca_file = file("ca.pem", "no certificate");
  EXPECT_THAT(refusal(with), StartsWith("cannot use the CA in " + with.tls->ca_file));
  with.tls->ca_file.clear();
  with.tls->ca_data = "no certificate";
  EXPECT_THAT(refusal(with), StartsWith("cannot use the CA: "));
  std::filesystem::remove_all(folder);
}

// A server that accepts one connection and writes a text, or nothing and waits.
class PlainServer {
 public:
  explicit PlainServer(std::string text) : text_(std::move(text)) {
    thread_ = std::thread([this] {
      tcp::socket socket(loop_);
      boost::system::error_code error;
      acceptor_.accept(socket, error);
      if (error) return;
      if (!text_.empty()) asio::write(socket, asio::buffer(text_), error);
      char byte = 0;
      while (!error) socket.read_some(asio::buffer(&byte, 1), error);  // until the client closes
    });
  }
  // Ends the thread's wait for a connection: a client may give up before it connects.
  ~PlainServer() {
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    thread_.join();
  }
  uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  const std::string text_;
  asio::io_context loop_{1};
  tcp::acceptor acceptor_{loop_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  std::thread thread_;
};

TEST_F(TlsTest, AServerWithoutTlsIsRefused) {
  const PlainServer server("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
  EXPECT_THAT(refusal(knowing(server.port(), "extender.test")),
              AllOf(StartsWith("cannot agree on TLS with 127.0.0.1:"), HasSubstr("wrong version")));
}

TEST_F(TlsTest, AServerWithTlsRefusesAPlainRequest) {
  const TlsServer server(named_);
  config::Extender plain;
  plain.url_prefix = "http://127.0.0.1:" + std::to_string(server.port());
  EXPECT_THAT(refusal(plain), StartsWith("no whole answer: "));
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(TlsTest, AServerThatSaysNothingTakesTheTimeLimit) {
  const PlainServer server("");
  config::Extender slow = knowing(server.port(), "extender.test");
  slow.timeout = std::chrono::nanoseconds(std::chrono::milliseconds(500)).count();
  EXPECT_THAT(refusal(slow), AllOf(StartsWith("cannot agree on TLS"), HasSubstr("time limit")));
}

}  // namespace
}  // namespace berth::extenders
