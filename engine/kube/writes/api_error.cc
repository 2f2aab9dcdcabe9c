#include "engine/kube/writes/api_error.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/base/text/characters.h"
#include "engine/document/document.h"
#include "engine/kube/writes/body.h"

namespace berth::kube {
namespace {

constexpr size_t kStatusBytes = 64 << 10;  // a longer answer is no Status
constexpr size_t kMessageBytes = 4096;
constexpr size_t kForeignBytes = 2048;  // as client-go: of an answer that is no Status

// What client-go makes of an answer without a Status.
struct Generic {
  int code;
  std::string_view reason, message;
};

constexpr Generic kGeneric[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {409, "Conflict", "the server reported a conflict"},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be processing "
     "the request"},
};

bool read_status(const std::string& body, ApiError& error) {
  if (body.size() > kStatusBytes || !body.starts_with('{')) return false;
  Diagnostics faults;
  const auto document =
      document::Document::parse(body, "the answer", faults, {.depth = 16, .json_only = true});
  if (faults.count() != 0 || document.roots().size() != 1) return false;
  const document::Value root = document.roots()[0];
  if (root.find("kind").text() != "Status" || root.find("status").text() != "Failure") return false;
  error.reason = root.find("reason").text();
  error.message = beginning(root.find("message").text(), kMessageBytes);
  return true;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

void take_foreign(const std::string& body, ApiError& error) {
  const std::string_view text = without_blanks(beginning(body, kForeignBytes));
  const auto* known = std::ranges::find(kGeneric, error.code, &Generic::code);
  if (known != std::end(kGeneric)) {
    error.reason = known->reason;
    error.message = known->message;
  } else if (error.code == 403) {
    error.reason = "Forbidden";
    error.message = text;
  } else if (error.code >= 500) {
    error.reason = "InternalError";
    error.message = "an error on the server (" + document::quoted(text) +
                    ") has prevented the request from succeeding";
  } else {
    error.message = "the server responded with the status code " + std::to_string(error.code) +
                    " but did not return more information";
  }
}

}  // namespace

ApiError api_error(const Answer& answer, Method method, std::string_view resource,
                   std::string_view name) {
  BERTH_ASSERT(!answer.ok());
  ApiError error;
  if (answer.fate != Answer::Fate::kAnswered) {
    error.message = beginning(answer.error, kMessageBytes);
    return error;
  }
  error.code = answer.status;
  if (read_status(answer.body, error)) return error;
  take_foreign(answer.body, error);
  error.message.append(" (").append(lower(method_name(method))).append(" ");
  error.message.append(resource).append(" ").append(name).append(")");
  return error;
}

bool is_retriable(const Answer& answer, const ApiError& error) {
  return answer.fate == Answer::Fate::kNotSent || error.reason == "InternalError" ||
         error.reason == "ServiceUnavailable";
}

bool may_pass(const ApiError& error) {
  return error.code == 0 || error.code == 429 || error.code >= 500;
}

bool is_other_uid(const ApiError& error) {
  const auto says = [&](std::string_view text) { return error.message.find(text) != text.npos; };
  if (error.code == 409)
    return says("Precondition failed: UID in precondition") ||  // of the storage
           (says("the UID in the precondition") && says("does not match the UID in record"));
  // An update that names another UID would change it.
  return error.code == 422 && says("metadata.uid") && says("field is immutable");
}

}  // namespace berth::kube
