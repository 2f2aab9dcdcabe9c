#include "tests/apiserver/net/testing/fetch.h"

#include <memory>
#include <string_view>

#include "engine/base/assert.h"

namespace berth::apiserver {
namespace {

constexpr long kLimitSeconds = 60;
constexpr int kPollMs = 10;

// One request, at an address that stays.
struct Transfer {
  std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>> easy{curl_easy_init()};
  std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>> headers;
  Fetched fetched;
};

size_t take(char* bytes, size_t, size_t size, void* to) {
  auto& transfer = *static_cast<Transfer*>(to);
  transfer.fetched.body.append(bytes, size);
  return size;
}

size_t take_head(char* bytes, size_t, size_t size, void* to) {
  static_cast<Transfer*>(to)->fetched.head.append(bytes, size);
  return size;
}

template <typename Value>
void set(Transfer& transfer, CURLoption option, Value value) {
  const CURLcode code = curl_easy_setopt(transfer.easy.get(), option, value);
  BERTH_ASSERT(code == CURLE_OK);
}

void set_pem(Transfer& transfer, CURLoption option, const std::string& text) {
  curl_blob blob{const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY};
  set(transfer, option, &blob);
}

void set_tls(Transfer& transfer, const FetchOptions& options) {
  set_pem(transfer, CURLOPT_CAINFO_BLOB, options.authority);
  if (options.client.certificate.empty()) return;
  set(transfer, CURLOPT_SSLCERTTYPE, "PEM");
  set(transfer, CURLOPT_SSLKEYTYPE, "PEM");
  set_pem(transfer, CURLOPT_SSLCERT_BLOB, options.client.certificate);
  set_pem(transfer, CURLOPT_SSLKEY_BLOB, options.client.key);
}

void prepare(Transfer& transfer, uint16_t port, const std::string& target,
             const FetchOptions& options) {
  const bool tls = !options.authority.empty();
  const std::string url =
      (tls ? "https" : "http") + ("://127.0.0.1:" + std::to_string(port)) + target;
  set(transfer, CURLOPT_URL, url.c_str());
  set(transfer, CURLOPT_PROXY, "");
  set(transfer, CURLOPT_NOSIGNAL, 1L);
  set(transfer, CURLOPT_PATH_AS_IS, 1L);
  set(transfer, CURLOPT_TIMEOUT, kLimitSeconds);
  set(transfer, CURLOPT_PIPEWAIT, 1L);
  set(transfer, CURLOPT_HTTP_VERSION,
      static_cast<long>(!options.http2 ? CURL_HTTP_VERSION_1_1
                        : tls          ? CURL_HTTP_VERSION_2TLS
                                       : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE));
  if (tls) set_tls(transfer, options);
  if (options.method == "HEAD") set(transfer, CURLOPT_NOBODY, 1L);
  if (!options.body.empty()) {
    set(transfer, CURLOPT_POSTFIELDSIZE, static_cast<long>(options.body.size()));
    set(transfer, CURLOPT_COPYPOSTFIELDS, options.body.c_str());
  }
  set(transfer, CURLOPT_CUSTOMREQUEST, options.method.c_str());
  for (const std::string& header : options.headers)
    transfer.headers.reset(curl_slist_append(transfer.headers.release(), header.c_str()));
  set(transfer, CURLOPT_HTTPHEADER, transfer.headers.get());
  set(transfer, CURLOPT_WRITEFUNCTION, take);
  set(transfer, CURLOPT_WRITEDATA, &transfer);
  set(transfer, CURLOPT_HEADERFUNCTION, take_head);
  set(transfer, CURLOPT_HEADERDATA, &transfer);
  set(transfer, CURLOPT_PRIVATE, &transfer);
}

void finish(const CURLMsg& message) {
  char* transfer_of = nullptr;
  curl_easy_getinfo(message.easy_handle, CURLINFO_PRIVATE, &transfer_of);
  Fetched& fetched = reinterpret_cast<Transfer*>(transfer_of)->fetched;
  fetched.code = message.data.result;
  curl_easy_getinfo(message.easy_handle, CURLINFO_RESPONSE_CODE, &fetched.status);
  curl_easy_getinfo(message.easy_handle, CURLINFO_HTTP_VERSION, &fetched.version);
  curl_easy_getinfo(message.easy_handle, CURLINFO_NUM_CONNECTS, &fetched.connections);
}

}  // namespace

std::vector<Fetched> fetch_all(uint16_t port, const std::vector<std::string>& targets,
                               const FetchOptions& options) {
  const std::unique_ptr<CURLM, FreeWith<curl_multi_cleanup>> multi(curl_multi_init());
  curl_multi_setopt(multi.get(), CURLMOPT_MAX_HOST_CONNECTIONS, options.http2 ? 1L : 0L);
  std::vector<std::unique_ptr<Transfer>> transfers;
  for (const std::string& target : targets) {
    transfers.push_back(std::make_unique<Transfer>());
    prepare(*transfers.back(), port, target, options);
    curl_multi_add_handle(multi.get(), transfers.back()->easy.get());
  }
  for (int running = 1; running > 0;) {
    curl_multi_perform(multi.get(), &running);
    if (running > 0) curl_multi_poll(multi.get(), nullptr, 0, kPollMs, nullptr);
  }
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) finish(*message);
  std::vector<Fetched> all;
  for (auto& transfer : transfers) {
    curl_multi_remove_handle(multi.get(), transfer->easy.get());
    all.push_back(std::move(transfer->fetched));
  }
  return all;
}

Fetched fetch(uint16_t port, const std::string& target, const FetchOptions& options) {
  return fetch_all(port, {target}, options).front();
}

}  // namespace berth::apiserver
