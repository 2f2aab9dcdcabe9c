#pragma once

// Requests by libcurl. Its HTTP/2 (7.88) loses what comes before the reset of a stream, may wait
// for ever behind a body that fills its buffers, and needs TLS for several requests on one
// connection. Http2Client does all of this.

#include <curl/curl.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/apiserver/net/tls/authority.h"

namespace berth::apiserver {

struct FetchOptions {
  bool http2 = true;      // false: HTTP/1.1
  std::string authority;  // of the server's certificate; empty: without TLS
  Identity client;        // empty: none
  std::string method = "GET";
  std::string body;
  std::vector<std::string> headers;  // "NAME: VALUE"
};

struct Fetched {
  CURLcode code = CURLE_OK;
  long status = 0;
  long version = 0;      // CURL_HTTP_VERSION_...
  long connections = 0;  // made for it
  std::string head, body;
};

// Takes a minute at most; then the code is CURLE_OPERATION_TIMEDOUT.
Fetched fetch(uint16_t port, const std::string& target, const FetchOptions& options = {});
// All at once, on one connection if it is HTTP/2 with TLS.
std::vector<Fetched> fetch_all(uint16_t port, const std::vector<std::string>& targets,
                               const FetchOptions& options = {});

}  // namespace berth::apiserver
