#pragma once

// An HTTPS server for tests, on a thread of its own and a free port of 127.0.0.1. It serves one
// connection after the other: a client has to close its own before the next one is served.

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <string>
#include <thread>

#include "engine/extenders/testing/certificates.h"

namespace berth::extenders {

class TlsServer {
 public:
  // `client_authority`: clients have to show a certificate of this authority, as PEM; empty: none.
  explicit TlsServer(const Identity& own, const std::string& client_authority = {});
  ~TlsServer();

  uint16_t port() const { return acceptor_.local_endpoint().port(); }
  // Connections on which TLS was agreed.
  int connections() const { return connections_; }

 private:
  using Stream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;

  void run();
  // Answers each request with a JSON object: "server" is the name that the client asked for,
  // "client" the subject of its certificate, "asked" the body of the request.
  void serve(Stream& stream);

  boost::asio::io_context loop_{1};
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  boost::asio::ip::tcp::acceptor acceptor_;
  std::atomic<int> connections_ = 0;
  std::thread thread_;  // last: uses the others
};

}  // namespace berth::extenders
