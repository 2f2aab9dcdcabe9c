#pragma once

// What a server says of a request that it refused. Internal to the writes.

#include <string>
#include <string_view>

#include "engine/kube/http/http.h"

namespace berth::kube {

struct ApiError {
  int code = 0;        // of HTTP; 0: there was no answer
  std::string reason;  // of Status: "Conflict"; as client-go has it if the answer is no Status
  // As client-go's error text, at most 4 KiB; any text. Without an answer: why.
  std::string message;
};

// Requires that the answer is not ok(). `method`, `resource` ("pods") and `name` say what was
// asked; the texts for answers that are no Status contain them.
ApiError api_error(const Answer& answer, Method method, std::string_view resource,
                   std::string_view name);

// kube-scheduler tries the patch of a status again after these alone.
bool is_retriable(const Answer& answer, const ApiError& error);
// The request may be answered otherwise next time: no answer, too many requests, a fault of the
// server.
bool may_pass(const ApiError& error);
// The object of that name has another UID than the one asked for.
bool is_other_uid(const ApiError& error);

}  // namespace berth::kube
