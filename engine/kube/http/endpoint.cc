#include "engine/kube/http/endpoint.h"

#include <chrono>

#include "engine/base/error.h"
#include "engine/base/text/characters.h"
#include "engine/document/document.h"

namespace berth::kube {
namespace {

struct UrlDelete {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlDelete>;

std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owner(text, curl_free);
  return text;
}

Url parsed_url(const std::string& server) {
  Url url(curl_url());
  if (!url) throw std::bad_alloc();
  const CURLUcode code = curl_url_set(url.get(), CURLUPART_URL, server.c_str(), 0);
  if (code != CURLUE_OK)
    throw Error("the server's URL " + document::quoted(server) +
                " cannot be used: " + curl_url_strerror(code));
  return url;
}

// Go asks no proxy of the environment for these.
bool is_loopback(std::string_view host) {
  return equal_but_for_case(host, "localhost") || host.starts_with("127.") || host == "[::1]";
}

void set_pem(CURL* easy, CURLoption blob, CURLoption file, const Pem& pem) {
  if (!pem.file.empty()) set(easy, file, pem.file.c_str());
  if (pem.data.empty()) return;
  set_blob(easy, blob, pem.data);
}

// A key of `extra` as part of a header's name: what such a name cannot have is encoded as in a URL.
std::string escaped_key(std::string_view key) {
  constexpr std::string_view kOthers = "!#$&'*+-.^_`|~";
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string to;
  for (const char c : key) {
    const bool letter = lower(c) >= 'a' && lower(c) <= 'z';
    if (letter || is_digit(c) || kOthers.find(c) != kOthers.npos) {
      to += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      to += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return to;
}

void add_impersonation(const Impersonation& as, std::vector<std::string>& to) {
  if (as.user.empty()) return;
  to.push_back(header("Impersonate-User", as.user));
  if (!as.uid.empty()) to.push_back(header("Impersonate-Uid", as.uid));
  for (const std::string& group : as.groups) to.push_back(header("Impersonate-Group", group));
  for (const auto& [key, values] : as.extra)
    for (const std::string& value : values)
      to.push_back(header("Impersonate-Extra-" + escaped_key(key), value));
}

}  // namespace

void append(TextList& list, const std::string& text) {
  curl_slist* longer = curl_slist_append(list.get(), text.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  list.release();
  list.reset(longer);
}

void set_blob(CURL* easy, CURLoption option, const std::string& bytes) {
  curl_blob blob{const_cast<char*>(bytes.data()), bytes.size(), CURL_BLOB_NOCOPY};
  set(easy, option, &blob);
}

std::string header(std::string_view name, std::string_view value) {
  std::string to(name);
  if (value.empty()) return to + ";";
  return to.append(": ").append(value);
}

Endpoint::Endpoint(const Connection& connection, std::string user_agent)
    : connection_(connection), user_agent_(std::move(user_agent)) {
  headers_ = {"Accept: application/json", "Expect:"};  // without a wait for "100 Continue"
  name_server();
  add_impersonation(connection.impersonation, headers_);
}

// libcurl verifies the certificate for the host of the URL, and tells the server that name. So a
// name that differs from the host takes its place, and connections go to the host all the same.
void Endpoint::name_server() {
  const Url url = parsed_url(connection_.server);
  base_ = connection_.server;
  const std::string host = part_of(url.get(), CURLUPART_HOST);
  loopback_ = is_loopback(host);
  const std::string& name = connection_.tls_server_name;
  if (name.empty() || !connection_.server.starts_with("https://")) return;
  const std::string port = part_of(url.get(), CURLUPART_PORT);
  headers_.push_back(header("Host", port.empty() ? host : host + ":" + port));
  const std::string named = name.find(':') == name.npos ? name : "[" + name + "]";
  if (curl_url_set(url.get(), CURLUPART_HOST, named.c_str(), 0) != CURLUE_OK)
    throw Error("tls-server-name " + document::quoted(name) + " is no name of a host");
  const std::string port_there = part_of(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
  append(connect_to_, named + ":" + port_there + ":" + host + ":" + port_there);
  base_ = part_of(url.get(), CURLUPART_URL);
  if (base_.ends_with('/')) base_.pop_back();
}

Easy Endpoint::make_easy() const {
  Easy easy(curl_easy_init());
  if (!easy) throw std::bad_alloc();
  CURL* to = easy.get();
  set_protocol(to);
  set_tls(to);
  set_proxy(to);
  set(to, CURLOPT_USERAGENT, user_agent_.c_str());
  if (!connection_.username.empty() || !connection_.password.empty()) {
    set(to, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    set(to, CURLOPT_USERNAME, connection_.username.c_str());
    set(to, CURLOPT_PASSWORD, connection_.password.c_str());
  }
  set(to, CURLOPT_NOSIGNAL, 1L);
  // A request that ends while a name is looked up does not wait for that.
  set(to, CURLOPT_QUICK_EXIT, 1L);
  constexpr long kInterval = kSilence.count() / 2;
  set(to, CURLOPT_TCP_KEEPALIVE, 1L);
  set(to, CURLOPT_TCP_KEEPIDLE, kInterval);
  set(to, CURLOPT_TCP_KEEPINTVL, kInterval);
  return easy;
}

void Endpoint::set_protocol(CURL* easy) const {
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_PATH_AS_IS, 1L);
  set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  const bool tls = connection_.server.starts_with("https://");
  set(easy, CURLOPT_HTTP_VERSION,
      static_cast<long>(tls ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  // Wait for the first connection, to share it if the server has HTTP/2.
  set(easy, CURLOPT_PIPEWAIT, tls ? 1L : 0L);
  // An answer of HTTP/2 that has more than its buffer takes while another one is read stops the
  // connection. If it then ends by its Content-Length, libcurl 7.88 forgets what it has read for
  // others until the next byte comes.
  constexpr long kBuffer = 256 << 10;
  set(easy, CURLOPT_BUFFERSIZE, kBuffer);
  if (connect_to_) set(easy, CURLOPT_CONNECT_TO, connect_to_.get());
}

void Endpoint::set_tls(CURL* easy) const {
  set(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (connection_.insecure) {
    set(easy, CURLOPT_SSL_VERIFYPEER, 0L);
    set(easy, CURLOPT_SSL_VERIFYHOST, 0L);
  }
  set_pem(easy, CURLOPT_CAINFO_BLOB, CURLOPT_CAINFO, connection_.ca);
  // Not the system's CAs beside it.
  if (!connection_.ca.empty()) set(easy, CURLOPT_CAPATH, static_cast<char*>(nullptr));
  set_pem(easy, CURLOPT_SSLCERT_BLOB, CURLOPT_SSLCERT, connection_.certificate);
  set_pem(easy, CURLOPT_SSLKEY_BLOB, CURLOPT_SSLKEY, connection_.key);
}

// As Go does: a proxy of the kubeconfig is for every host, one of the environment not for hosts of
// this machine.
void Endpoint::set_proxy(CURL* easy) const {
  if (!connection_.proxy_url.empty()) {
    set(easy, CURLOPT_PROXY, connection_.proxy_url.c_str());
    set(easy, CURLOPT_NOPROXY, "");
  } else if (loopback_) {
    set(easy, CURLOPT_PROXY, "");
  }
}

}  // namespace berth::kube
