#pragma once

// A server for tests, on threads of its own and a free port of 127.0.0.1. A function of the test
// says what it does with each connection. Waits end after 20 seconds.

#include <openssl/ssl.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/base/mutex.h"
#include "engine/extenders/testing/certificates.h"

namespace berth::kube {

// One connection. The thread that serves it.
class Peer {
 public:
  // `tls`: null for plain TCP; outlives it.
  Peer(int socket, SSL* tls) : socket_(socket), tls_(tls) {}

  // Exactly so many bytes; fewer if the client has closed.
  std::string read(size_t count);
  // Head and body of the next HTTP/1.1 request, whose body has a Content-Length. Empty if the
  // client has closed before its end.
  std::string read_request();
  void write(std::string_view bytes);
  // With its Content-Length. `headers`: further ones, each with its line break.
  void answer(std::string_view body, std::string_view status = "200 OK",
              std::string_view headers = "");

  // Of TLS: the name that the client asked for, the subject of its certificate, the protocol.
  std::string server_name() const;
  std::string client() const;
  bool http2() const;

 private:
  size_t receive(char* to, size_t most);

  int socket_;
  SSL* tls_;
};

// The value of a header of a request; "(none)" if it has none.
std::string header_in(const std::string& request, const std::string& name);

struct TestTls {
  extenders::Identity own;
  std::string client_authority;  // clients show a certificate of it, as PEM; empty: need not
  bool http2 = false;
};

class TestServer {
 public:
  // `number`: of the connection, from 0. The connection is closed when it returns.
  using Serve = std::function<void(Peer&, int number)>;

  explicit TestServer(Serve serve);
  TestServer(Serve serve, const TestTls& tls);
  // Ends the connections.
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  uint16_t port() const { return port_; }
  std::string url() const;
  int connections();  // so far

 private:
  struct TlsDelete {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* tls) const { SSL_free(tls); }
  };

  void listen();
  void accept_all();
  void serve(int number);

  Serve serve_;
  std::unique_ptr<SSL_CTX, TlsDelete> tls_;
  bool http2_ = false;
  Descriptor listener_;
  uint16_t port_ = 0;
  Mutex mutex_;
  std::vector<Descriptor> sockets_ BERTH_GUARDED_BY(mutex_);  // by number; open to the end
  std::vector<std::thread> servers_;                          // of the accepting thread
  std::thread acceptor_;
};

// Answers each request with its own text.
void echo(Peer& peer, int number);
// Calls the function for every request of a connection.
TestServer::Serve each_request(std::function<void(Peer&, const std::string&)> each);

}  // namespace berth::kube
