#include "engine/kube/http/transfer.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/base/assert.h"
#include "engine/base/text/characters.h"
#include "engine/base/text/number_text.h"

namespace berth::kube {
namespace {

// Of an answer that was to be streamed, but has another status than 200.
constexpr size_t kMostOfRefusal = 1 << 20;

std::string_view header_of(CURL* easy, const char* name) {
  curl_header* found = nullptr;
  constexpr int kLastAnswer = -1;
  if (curl_easy_header(easy, name, 0, CURLH_HEADER, kLastAnswer, &found) != CURLHE_OK) return {};
  return found->value;
}

// Seconds, or an HTTP date. Nothing for any other text.
std::optional<Time> retry_after_of(CURL* easy) {
  const std::string text(header_of(easy, "Retry-After"));
  if (is_number(text)) {
    uint32_t seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (fault == std::errc::result_out_of_range) seconds = UINT32_MAX;
    return std::chrono::seconds(seconds);
  }
  const time_t date = text.empty() ? -1 : curl_getdate(text.c_str(), nullptr);
  if (date < 0) return std::nullopt;
  const int64_t wait = std::max<int64_t>(0, date - std::time(nullptr));
  return std::chrono::seconds(std::min<int64_t>(wait, UINT32_MAX));
}

// The server does not compress a watch. Something between might, and hold back what is small.
bool is_watch(std::string_view path) { return path.find("watch=") != path.npos; }

}  // namespace

Transfer::Transfer(uint64_t number, Request request, Http::Data data, Http::Done done,
                   size_t most_body)
    : number_(number),
      request_(std::move(request)),
      data_(std::move(data)),
      done_(std::move(done)),
      most_body_(data_ ? kMostOfRefusal : most_body) {
  BERTH_ASSERT(done_ && request_.path.starts_with('/'));
}

void Transfer::prepare(Easy easy, const Endpoint& endpoint,
                       std::shared_ptr<const Credential> credential) {
  BERTH_ASSERT(!easy_ && easy && attempts_ == 0);
  easy_ = std::move(easy);
  credential_ = std::move(credential);
  server_ = endpoint.server();
  CURL* to = easy_.get();
  set(to, CURLOPT_PRIVATE, static_cast<void*>(this));
  set(to, CURLOPT_URL, endpoint.url(request_.path).c_str());
  set(to, CURLOPT_ERRORBUFFER, error_);
  set_method();
  set_headers(endpoint);
  set(to, CURLOPT_ACCEPT_ENCODING,
      endpoint.compression() && !is_watch(request_.path) ? "gzip" : nullptr);
  if (!credential_->certificate.empty()) {
    set_blob(to, CURLOPT_SSLCERT_BLOB, credential_->certificate);
    set_blob(to, CURLOPT_SSLKEY_BLOB, credential_->key);
  }
  set(to, CURLOPT_PREREQFUNCTION, &Transfer::on_begin);
  set(to, CURLOPT_PREREQDATA, static_cast<void*>(this));
  set(to, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(to, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(to, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(to, CURLOPT_WRITEDATA, static_cast<void*>(this));
}

Transfer& Transfer::of(CURL* easy) {
  char* self = nullptr;
  BERTH_ASSERT(curl_easy_getinfo(easy, CURLINFO_PRIVATE, &self) == CURLE_OK && self != nullptr);
  return *reinterpret_cast<Transfer*>(self);
}

Easy Transfer::release() {
  BERTH_ASSERT(easy_ != nullptr);
  set(easy_.get(), CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));
  if (!credential_->certificate.empty()) {
    // The next credential may have none.
    set(easy_.get(), CURLOPT_SSLCERT_BLOB, static_cast<curl_blob*>(nullptr));
    set(easy_.get(), CURLOPT_SSLKEY_BLOB, static_cast<curl_blob*>(nullptr));
  }
  return std::move(easy_);
}

Answer Transfer::answer(CURLcode code) {
  Answer answer;
  answer.status = status();
  // libcurl takes an answer for whole whose connection ends within its headers.
  if (code == CURLE_OK && head_complete_) {
    answer.body = std::move(body_);
    answer.retry_after = retry_after_of(easy_.get());
    return answer;
  }
  answer.fate = begun() ? Answer::Fate::kLost : Answer::Fate::kNotSent;
  answer.error = server_ + ": " + error_text(code);
  return answer;
}

Answer Transfer::failure(std::string error) const {
  Answer answer;
  answer.fate = begun() ? Answer::Fate::kLost : Answer::Fate::kNotSent;
  answer.status = status();
  answer.error = std::move(error);
  return answer;
}

int Transfer::on_begin(void* self, char*, char*, int, int) {
  Transfer& transfer = *static_cast<Transfer*>(self);
  const Request& request = transfer.request_;
  transfer.forbidden_ = request.may_leave && !request.may_leave();
  if (transfer.forbidden_) return CURL_PREREQFUNC_ABORT;
  const bool twice = transfer.attempts_++ != 0;
  const bool reads = request.method == Method::kGet;
  return twice && !reads ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

size_t Transfer::on_header(char* text, size_t size, size_t count, void* self) {
  constexpr int kFirstFinal = 200;
  const std::string_view line(text, size * count);
  Transfer& transfer = *static_cast<Transfer*>(self);
  if (line == "\r\n" || line == "\n") transfer.head_complete_ = transfer.status() >= kFirstFinal;
  return line.size();
}

size_t Transfer::on_body(char* bytes, size_t size, size_t count, void* self) {
  const std::string_view part(bytes, size * count);
  return static_cast<Transfer*>(self)->take(part) ? part.size() : CURL_WRITEFUNC_ERROR;
}

void Transfer::set_method() const {
  CURL* to = easy_.get();
  const std::string& body = request_.body;
  const bool plain_get = request_.method == Method::kGet && body.empty();
  const bool has_body = !request_.content_type.empty() || request_.method == Method::kPost;
  // A handle remembers the body of the request before.
  set(to, CURLOPT_POSTFIELDS, has_body ? body.data() : nullptr);
  set(to, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(has_body ? body.size() : 0));
  if (!has_body) set(to, CURLOPT_HTTPGET, 1L);
  const std::string name(method_name(request_.method));
  set(to, CURLOPT_CUSTOMREQUEST, plain_get ? nullptr : name.c_str());
}

void Transfer::set_headers(const Endpoint& endpoint) {
  for (const std::string& line : endpoint.headers()) append(headers_, line);
  // libcurl would name a type of its own.
  append(headers_, request_.content_type.empty() ? "Content-Type:"
                                                 : header("Content-Type", request_.content_type));
  if (!credential_->token.empty())
    append(headers_, header("Authorization", "Bearer " + credential_->token));
  set(easy_.get(), CURLOPT_HTTPHEADER, headers_.get());
}

int Transfer::status() const {
  long code = 0;
  if (easy_) curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
  return begun() ? static_cast<int>(code) : 0;
}

bool Transfer::take(std::string_view bytes) {
  constexpr int kOk = 200;
  if (cancelled_) return false;
  if (data_ && status() == kOk) {
    data_(bytes);
    return !cancelled_;
  }
  too_large_ = bytes.size() > most_body_ - body_.size();
  if (too_large_) return false;
  body_ += bytes;
  return true;
}

std::string Transfer::error_text(CURLcode code) const {
  if (too_large_)
    return "the answer has more than " +
           measured_text(static_cast<double>(most_body_), NAN, Unit::kBytes);
  if (forbidden_) return "the request may not leave any more";
  if (code == CURLE_OK) return "the connection ended within the headers of the answer";
  if (code == CURLE_ABORTED_BY_CALLBACK) return "the connection ended before the answer";
  return error_[0] != '\0' ? error_ : curl_easy_strerror(code);
}

}  // namespace berth::kube
