#pragma once

// The facts that libcurl has to know of a server, the same for each request. Internal to this
// module.

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/assert.h"
#include "engine/kube/config/connection.h"

namespace berth::kube {

// A peer that is gone is noticed after this time, also while nothing is sent to it.
inline constexpr std::chrono::seconds kSilence{30};

struct CurlDelete {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, CurlDelete>;
using TextList = std::unique_ptr<curl_slist, CurlDelete>;

void append(TextList& list, const std::string& text);

// Sets an option, which libcurl knows: Berth is built with the version that it needs.
template <typename Value>
void set(CURL* easy, CURLoption option, Value value) {
  const CURLcode code = curl_easy_setopt(easy, option, value);
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  BERTH_ASSERT(code == CURLE_OK);
}
// Of bytes that outlive the handle's use.
void set_blob(CURL* easy, CURLoption option, const std::string& bytes);

// One header, as libcurl takes it. It would leave out one without a value.
std::string header(std::string_view name, std::string_view value);

class Endpoint {
 public:
  // The connection outlives it. Throws Error if libcurl cannot parse the server's URL.
  Endpoint(const Connection& connection, std::string user_agent);

  // A handle that has all options which do not differ between requests. The endpoint outlives it.
  Easy make_easy() const;
  std::string url(std::string_view path) const { return base_ + std::string(path); }
  // Those of every request.
  const std::vector<std::string>& headers() const { return headers_; }
  const std::string& server() const { return connection_.server; }
  bool compression() const { return connection_.compression; }

 private:
  void name_server();
  void set_protocol(CURL* easy) const;
  void set_tls(CURL* easy) const;
  void set_proxy(CURL* easy) const;

  const Connection& connection_;
  std::string user_agent_;
  bool loopback_ = false;  // the server is on this machine
  std::string base_;       // before the path of a request
  TextList connect_to_;
  std::vector<std::string> headers_;
};

}  // namespace berth::kube
