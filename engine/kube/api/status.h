#pragma once

// Errors of an API server: a Status object, another text such as that of a 429, or nothing but the
// code. What has no Status gets the reason and the words that client-go gives it (apimachinery
// pkg/api/errors, NewGenericServerResponse).

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/document/document.h"
#include "engine/kube/http/http.h"

namespace berth::kube {

// The question. Its words stand in the text of an answer that is no Status.
struct Asked {
  Method method = Method::kGet;
  std::string_view resource;   // "pods"; outside of the core group "replicasets.apps"
  std::string_view name = {};  // of the object; empty: there is none
};

struct Status {
  static constexpr size_t kMostReason = 256, kMostMessage = 4096;  // bytes; longer ones are cut

  int code = 0;         // of HTTP; in an event, what it says; 0: there was no answer
  std::string reason;   // "NotFound"; empty: there is none. Any text
  std::string message;  // the server's words, or client-go's; without an answer: why. Any text
  std::optional<Time> retry_after{};

  // The version that was asked for, or the token of a list, is too old.
  bool is_expired() const { return code == 410 || reason == "Expired" || reason == "Gone"; }
  bool is_unauthorized() const { return code == 401; }
  bool is_forbidden() const { return code == 403; }
  bool is_not_found() const { return code == 404; }
  bool is_conflict() const { return code == 409; }
  bool is_too_many_requests() const { return code == 429; }
  bool is_internal_error() const { return code == 500; }
  // The object of that name has another UID than the one asked for.
  bool is_other_uid() const;
  // The same request may be answered otherwise next time: no answer, too many requests, a fault of
  // the server.
  bool may_pass() const { return code == 0 || is_too_many_requests() || code >= 500; }

  // "404 NotFound: pods \"web-0\" not found", on one line, printable.
  std::string text() const;
};

// Precondition: the answer is not ok().
Status status_of(const Answer& answer, const Asked& asked);

// Of a Status object, such as that of an ERROR event. A value of another kind has no code, reason
// and message.
Status status_of(document::Value object);

// Why the answer is not ok(), whatever its fate, on one line, printable. Precondition: it is not.
std::string failure_text(const Answer& answer, const Asked& asked);

}  // namespace berth::kube
