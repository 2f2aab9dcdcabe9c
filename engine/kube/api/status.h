#pragma once

// Errors of an API server: a Status object, a text such as that of a 429, or nothing but the code.

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.h"
#include "engine/document/document.h"
#include "engine/kube/http/http.h"

namespace berth::kube {

struct Status {
  static constexpr size_t kMostReason = 256, kMostMessage = 4096;  // bytes; longer ones are cut

  int code = 0;         // of HTTP; in an event, what it says
  std::string reason;   // "NotFound"; empty: the server gave none. Any text
  std::string message;  // the server's words, any text
  std::optional<Time> retry_after{};

  // The version that was asked for, or the token of a list, is too old.
  bool is_expired() const { return code == 410 || reason == "Expired" || reason == "Gone"; }
  bool is_unauthorized() const { return code == 401; }
  bool is_forbidden() const { return code == 403; }
  bool is_not_found() const { return code == 404; }
  bool is_conflict() const { return code == 409; }
  bool is_too_many_requests() const { return code == 429; }
  bool is_internal_error() const { return code == 500; }
  // The same request may succeed later, when the server, its load or the rights of the user have
  // changed. False: the server does not take it as it is.
  bool may_pass() const {
    return is_unauthorized() || is_forbidden() || is_too_many_requests() || code >= 500;
  }

  // "404 NotFound: pods \"web-0\" not found", on one line, printable.
  std::string text() const;
};

// Precondition: the server answered, and the answer is not ok().
Status status_of(const Answer& answer);

// Of a Status object, such as that of an ERROR event. A value of another kind has no code, reason
// and message.
Status status_of(document::Value object);

// Why the answer is not ok(), whatever its fate, on one line, printable. Precondition: it is not.
std::string failure_text(const Answer& answer);

}  // namespace berth::kube
