#include "engine/kube/api/status.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/text/beginning.h"
#include "engine/base/text/characters.h"
#include "engine/base/text/printable.h"

namespace berth::kube {
namespace {

using document::Value;

// A server's words are short. Larger bodies come from something else and are taken for text.
constexpr size_t kMostParsed = size_t{1} << 20;
constexpr size_t kMostForeign = 2048;  // as client-go: of an answer that is no Status
constexpr int64_t kMostRetrySeconds = 24 * 60 * 60;

// The Status that client-go makes of an answer without one.
struct Generic {
  int code;
  std::string_view reason;
  std::string_view message;  // empty: the server's own words
};

constexpr Generic kGeneric[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", ""},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable", ""},
    {409, "Conflict", "the server reported a conflict"},
    {415, "UnsupportedMediaType", ""},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests",
     "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be processing "
     "the request"},
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Nothing: the body is no Status of a failure.
std::optional<Status> parsed(std::string_view body) {
  if (!body.starts_with('{') || body.size() > kMostParsed) return std::nullopt;
  Diagnostics faults;
  document::Limits limits;
  limits.json_only = true;
  const auto document = document::Document::parse(body, "", faults, limits);
  if (faults.count() > 0 || document.roots().size() != 1) return std::nullopt;
  const Value root = document.roots()[0];
  if (root.find("kind").text() != "Status" || root.find("status").text() == "Success")
    return std::nullopt;
  return status_of(root);
}

std::string asked_text(const Asked& asked) {
  std::string text = " (" + lower(method_name(asked.method)) + " " + std::string(asked.resource);
  if (!asked.name.empty()) text.append(" ").append(asked.name);
  return text + ")";
}

Status generic(int code, std::string_view body, const Asked& asked) {
  const std::string_view words = trimmed(beginning(body, kMostForeign));
  const auto* known = std::ranges::find(kGeneric, code, &Generic::code);
  Status status;
  if (known != std::end(kGeneric)) {
    status.reason = known->reason;
    status.message = known->message.empty() ? words : known->message;
    if (code == 409 && asked.method == Method::kPost) status.reason = "AlreadyExists";
  } else if (code >= 500) {
    status.reason = "InternalError";
    status.message = "an error on the server (" + document::quoted(words) +
                     ") has prevented the request from succeeding";
  } else {
    status.message = "the server responded with the status code " + std::to_string(code) +
                     " but did not return more information";
  }
  status.message = beginning(status.message + asked_text(asked), Status::kMostMessage);
  return status;
}

}  // namespace

bool Status::is_other_uid() const {
  const auto says = [&](std::string_view text) { return message.find(text) != text.npos; };
  if (is_conflict())
    return says("Precondition failed: UID in precondition") ||  // of the storage
           (says("the UID in the precondition") && says("does not match the UID in record"));
  // An update that names another UID would change it.
  return code == 422 && says("metadata.uid") && says("field is immutable");
}

std::string Status::text() const {
  std::string text = code == 0 ? std::string("an error without a code") : std::to_string(code);
  if (!reason.empty()) text += " " + reason;
  if (!message.empty()) text += ": " + message;
  return printable(text);
}

Status status_of(Value object) {
  Status status;
  if (object.find("kind").text() != "Status") return status;
  const int64_t code = object.find("code").as_int64().value_or(0);
  if (code > 0 && code < 1000) status.code = static_cast<int>(code);
  status.reason = beginning(object.find("reason").text(), Status::kMostReason);
  status.message = beginning(object.find("message").text(), Status::kMostMessage);
  const int64_t seconds = object.find("details").find("retryAfterSeconds").as_int64().value_or(0);
  if (seconds > 0 && seconds <= kMostRetrySeconds)
    status.retry_after = std::chrono::seconds(seconds);
  return status;
}

Status status_of(const Answer& answer, const Asked& asked) {
  BERTH_ASSERT(!answer.ok());
  Status status;
  if (answer.fate != Answer::Fate::kAnswered) {
    status.message = beginning(answer.error, Status::kMostMessage);
    return status;
  }
  const std::optional<Status> read = parsed(answer.body);
  status = read ? *read : generic(answer.status, answer.body, asked);
  status.code = answer.status;
  if (answer.retry_after) status.retry_after = answer.retry_after;
  return status;
}

std::string failure_text(const Answer& answer, const Asked& asked) {
  const Status status = status_of(answer, asked);
  if (answer.fate == Answer::Fate::kAnswered) return status.text();
  const bool sent = answer.fate == Answer::Fate::kLost;
  const std::string text = sent ? "the connection was lost" : "the server was not reached";
  return status.message.empty() ? text : printable(text + ": " + status.message);
}

}  // namespace berth::kube
