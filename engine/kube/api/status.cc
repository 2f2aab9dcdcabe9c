#include "engine/kube/api/status.h"

#include <chrono>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/text/printable.h"

namespace berth::kube {
namespace {

using document::Value;

// A server's words are short. Larger bodies come from something else and are taken for text.
constexpr size_t kMostParsed = size_t{1} << 20;
constexpr int64_t kMostRetrySeconds = 24 * 60 * 60;

// The first bytes, at most so many, without a part of a character.
std::string cut(std::string_view text, size_t most) {
  if (text.size() > most) {
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    text = text.substr(0, most);
  }
  return std::string(text);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<Status> parsed(std::string_view body) {
  if (!body.starts_with('{') || body.size() > kMostParsed) return std::nullopt;
  Diagnostics faults;
  document::Limits limits;
  limits.json_only = true;
  const auto document = document::Document::parse(body, "", faults, limits);
  if (faults.count() > 0 || document.roots().size() != 1) return std::nullopt;
  const Value root = document.roots()[0];
  if (root.find("kind").text() != "Status") return std::nullopt;
  return status_of(root);
}

}  // namespace

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
  status.reason = cut(object.find("reason").text(), Status::kMostReason);
  status.message = cut(object.find("message").text(), Status::kMostMessage);
  const int64_t seconds = object.find("details").find("retryAfterSeconds").as_int64().value_or(0);
  if (seconds > 0 && seconds <= kMostRetrySeconds)
    status.retry_after = std::chrono::seconds(seconds);
  return status;
}

Status status_of(const Answer& answer) {
  BERTH_ASSERT(answer.fate == Answer::Fate::kAnswered && !answer.ok());
  Status status =
      parsed(answer.body).value_or(Status{0, {}, cut(trimmed(answer.body), Status::kMostMessage)});
  status.code = answer.status;
  if (answer.retry_after) status.retry_after = answer.retry_after;
  return status;
}

std::string failure_text(const Answer& answer) {
  BERTH_ASSERT(!answer.ok());
  if (answer.fate == Answer::Fate::kAnswered) return status_of(answer).text();
  const bool sent = answer.fate == Answer::Fate::kLost;
  const std::string text = sent ? "the connection was lost" : "the server was not reached";
  return answer.error.empty() ? text : printable(text + ": " + answer.error);
}

}  // namespace berth::kube
