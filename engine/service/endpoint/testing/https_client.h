#pragma once

// A client of a port of 127.0.0.1 that trusts every server. It waits for a minute at most, and then
// fails.

#include <cstdint>
#include <memory>
#include <string>

#include "engine/service/endpoint/testing/test_authority.h"
#include "engine/service/tls/openssl.h"

namespace berth::service::testing {

struct ClientHello {
  PemIdentity identity = {};  // empty: no certificate is shown
  int most_version = TLS1_3_VERSION;
};

class HttpsClient {
 public:
  // Agrees on TLS; connected() tells whether the server did.
  explicit HttpsClient(uint16_t port, const ClientHello& hello = {});
  ~HttpsClient();
  HttpsClient(const HttpsClient&) = delete;
  HttpsClient& operator=(const HttpsClient&) = delete;

  bool connected() const { return connected_; }
  // The common name of the server's certificate.
  std::string server_name() const;

  void send(const std::string& text);
  // One answer: its head, and as much of a body as Content-Length says, unless it is to a HEAD.
  // Empty: the server has closed before.
  std::string answer(bool to_head = false);
  // True if the server closes, with nothing before that.
  bool at_end();

 private:
  bool read_more();

  int socket_;
  OwnedContext context_;
  std::unique_ptr<SSL, FreeBy<SSL_free>> tls_;
  bool connected_ = false;
  std::string read_;  // that no answer has had
};

// The answer to a request with these further header lines, each with its line break, on a
// connection of its own.
std::string get(uint16_t port, const std::string& target, const std::string& header = {},
                const ClientHello& hello = {});

// Of an answer.
int status_of(const std::string& answer);
std::string body_of(const std::string& answer);

}  // namespace berth::service::testing
