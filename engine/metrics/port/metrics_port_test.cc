#include "engine/metrics/port/metrics_port.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "engine/base/error.h"

namespace berth::metrics {
namespace {

using boost::asio::ip::tcp;

TEST(MetricsPortAddress, HostAndPort) {
  const auto parsed = [](const char* text) {
    const PortAddress address = parse_port_address(text);
    return address.host + " " + std::to_string(address.port);
  };
  EXPECT_EQ(parsed("0.0.0.0:9100"), "0.0.0.0 9100");
  EXPECT_EQ(parsed("[::1]:0"), "::1 0");
  EXPECT_EQ(parsed(":65535"), "127.0.0.1 65535");
  EXPECT_EQ(parsed("localhost:1"), "127.0.0.1 1");
  for (const char* wrong : {"", "9100", "127.0.0.1", "127.0.0.1:", "::1:9100", "[127.0.0.1]:1",
                            "[]:1", "host.example:1", "127.0.0.1:65536", "127.0.0.1:-1", "a:b"})
    EXPECT_THROW(parse_port_address(wrong), Error) << wrong;
}

class MetricsPortTest : public ::testing::Test {
 protected:
  // The whole answer to requests that end with one that closes the connection.
  std::string answers(const std::string& requests) const {
    boost::asio::io_context loop;
    tcp::socket socket(loop);
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), port_.port()});
    boost::asio::write(socket, boost::asio::buffer(requests));
    std::string answers;
    boost::system::error_code end;
    boost::asio::read(socket, boost::asio::dynamic_buffer(answers), end);
    return answers;
  }
  static std::string request(const std::string& line) {
    return line + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  }

  std::atomic<int> scrapes_ = 0;
  MetricsPort port_{{.host = "127.0.0.1"},
                    [this] { return "a " + std::to_string(++scrapes_) + "\n"; }};
};

TEST_F(MetricsPortTest, GivesTheTextOfTheMoment) {
  EXPECT_EQ(port_.url(), "http://127.0.0.1:" + std::to_string(port_.port()) + "/metrics");
  EXPECT_EQ(answers(request("GET /metrics")),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
            "Connection: close\r\nContent-Length: 4\r\n\r\na 1\n");
  // A connection may be used again.
  const std::string both =
      answers("GET /metrics?a=b HTTP/1.1\r\nHost: a\r\n\r\n" + request("GET /metrics"));
  EXPECT_NE(both.find("\r\n\r\na 2\n"), std::string::npos) << both;
  EXPECT_TRUE(both.ends_with("\r\n\r\na 3\n")) << both;
}

TEST_F(MetricsPortTest, RefusesOtherRequests) {
  const auto begin = [&](const std::string& text) { return answers(text).substr(0, 12); };
  EXPECT_EQ(begin(request("GET /")), "HTTP/1.1 404");
  EXPECT_EQ(begin(request("POST /metrics")), "HTTP/1.1 405");
  EXPECT_EQ(begin("no request\r\n\r\n"), "HTTP/1.1 400");
  EXPECT_EQ(scrapes_, 0);
  const std::string head = answers(request("HEAD /metrics"));
  EXPECT_TRUE(head.ends_with("Content-Length: 4\r\n\r\n")) << head;
}

TEST_F(MetricsPortTest, AnAddressThatIsTakenIsAnError) {
  try {
    const MetricsPort second({.host = "127.0.0.1", .port = port_.port()},
                             [] { return std::string(); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot listen on 127.0.0.1 port"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace berth::metrics
