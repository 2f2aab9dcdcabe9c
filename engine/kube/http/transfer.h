#pragma once

// One request on its way. Internal to this module.
//
// libcurl sends a request again by itself if the connection that it has used before ends without a
// byte of an answer. A server may have done then what was asked, so only reads may be sent twice:
// any other request ends as lost.

#include <curl/curl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/kube/credentials/exec_credential.h"
#include "engine/kube/http/endpoint.h"
#include "engine/kube/http/http.h"

namespace berth::kube {

// The thread of the loop.
class Transfer {
 public:
  // `data`: empty unless the answer is streamed. `most_body`: bytes of a body that is kept.
  Transfer(uint64_t number, Request request, Http::Data data, Http::Done done, size_t most_body);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  uint64_t number() const { return number_; }
  Time limit() const { return request_.limit; }
  bool urgent() const { return request_.urgent; }

  // Gives the handle what belongs to this request, and keeps it. Once.
  void prepare(Easy easy, const Endpoint& endpoint, std::shared_ptr<const Credential> credential);
  // Null before prepare() and after release().
  CURL* easy() const { return easy_.get(); }
  const Credential* credential() const { return credential_.get(); }
  static Transfer& of(CURL* easy);
  // The handle, for another request. Precondition: no transfer uses it.
  Easy release();

  // False: no part of the request has left.
  bool begun() const { return attempts_ != 0; }
  // `data` and `done` are not called any more.
  void cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }

  // The answer of a transfer that libcurl has ended.
  Answer answer(CURLcode code);
  // That of one which ends now without an answer.
  Answer failure(std::string error) const;
  void finish(Answer answer) { done_(std::move(answer)); }

 private:
  static int on_begin(void* self, char*, char*, int, int);
  static size_t on_header(char* text, size_t size, size_t count, void* self);
  static size_t on_body(char* bytes, size_t size, size_t count, void* self);

  void set_method() const;
  void set_headers(const Endpoint& endpoint);
  int status() const;  // 0: no answer has begun
  bool take(std::string_view bytes);
  std::string error_text(CURLcode code) const;

  const uint64_t number_;
  const Request request_;
  const Http::Data data_;
  const Http::Done done_;
  const size_t most_body_;
  Easy easy_;
  std::shared_ptr<const Credential> credential_;
  TextList headers_;
  std::string server_;
  std::string body_;
  int attempts_ = 0;
  bool head_complete_ = false;  // of the answer
  bool too_large_ = false;
  bool forbidden_ = false;  // to leave
  bool cancelled_ = false;
  char error_[CURL_ERROR_SIZE] = {};
};

}  // namespace berth::kube
