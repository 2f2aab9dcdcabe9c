#pragma once

// Posts JSON to one server over HTTP/1.1, with or without TLS, and keeps the connection.
//
// One thread at a time. The time limit is that of a whole exchange: connecting, sending, and
// receiving the whole answer. A request is never sent twice, since a server may have acted on it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/config/extender.h"

namespace berth::extenders {

// The target of requests: scheme, host, port and path.
struct Url {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  std::string port;
  std::string path;  // begins with / or is empty; does not end with /

  // Throws Error, without a place, for what is no such URL.
  static Url parse(std::string_view text);
  std::string host_header() const;
};

struct HttpAnswer {
  unsigned status = 0;
  std::string body;
};

class HttpClient {
 public:
  // Longer answers are errors.
  static constexpr uint64_t kMostBody = uint64_t{256} << 20;

  // Throws Error for a URL, a key or a certificate that cannot be used.
  explicit HttpClient(const config::Extender& extender);
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;

  // Throws Error if there is no whole answer in time; the next request gets a new connection.
  // Precondition: the client was not moved away.
  HttpAnswer post(std::string_view verb, std::string body);

 private:
  class Connection;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::extenders
