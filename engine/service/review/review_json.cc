#include "engine/service/review/review_json.h"

#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"

namespace berth::service {
namespace {

using document::Value;

bool is_true(Value value) { return value.is(document::Kind::kBoolean) && value.as_bool(); }

std::vector<std::string> texts_of(Value list) {
  std::vector<std::string> texts;
  for (const Value element : list.elements()) texts.emplace_back(element.text());
  return texts;
}

User user_in(Value value) {
  User user;
  user.name = value.find("username").text();
  user.uid = value.find("uid").text();
  user.groups = texts_of(value.find("groups"));
  for (const document::Member member : value.find("extra").members())
    user.extra.emplace_back(member.key, texts_of(member.value));
  return user;
}

// The first document, if it is an object; else absent.
Value parsed_object(const std::string& body, document::Document& document) {
  Diagnostics diagnostics;
  document = document::Document::parse(body, "answer", diagnostics);
  if (diagnostics.count() != 0 || document.roots().size() != 1) return {};
  const Value root = document.roots().front();
  return root.is(document::Kind::kObject) ? root : Value();
}

// The status of a review of that kind; absent if the body is none.
Value review_status(const std::string& body, std::string_view kind, document::Document& document) {
  const Value root = parsed_object(body, document);
  if (root.find("kind").text() != kind) return {};
  const Value status = root.find("status");
  return status.is(document::Kind::kObject) ? status : Value();
}

}  // namespace

std::string token_review(std::string_view token) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] {
    json.member("apiVersion", "authentication.k8s.io/v1");
    json.member("kind", "TokenReview");
    json.object("spec", [&] { json.member("token", token); });
  });
  return buffer.GetString();
}

std::string access_review(const User& user, std::string_view path, std::string_view verb) {
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] {
    json.member("apiVersion", "authorization.k8s.io/v1");
    json.member("kind", "SubjectAccessReview");
    json.object("spec", [&] {
      json.object("nonResourceAttributes", [&] {
        json.member("path", path);
        json.member("verb", verb);
      });
      json.member_if("user", user.name);
      json.texts_if("groups", user.groups);
      if (!user.extra.empty())
        json.object("extra", [&] {
          for (const auto& [key, values] : user.extra) json.texts(key, values);
        });
      json.member_if("uid", user.uid);
    });
  });
  return buffer.GetString();
}

std::optional<TokenStatus> token_status(const std::string& body) {
  document::Document document;
  const Value status = review_status(body, "TokenReview", document);
  if (!status.present()) return std::nullopt;
  TokenStatus read;
  read.authenticated = is_true(status.find("authenticated"));
  read.error = status.find("error").text();
  if (read.authenticated) read.user = user_in(status.find("user"));
  return read;
}

std::optional<AccessStatus> access_status(const std::string& body) {
  document::Document document;
  const Value status = review_status(body, "SubjectAccessReview", document);
  if (!status.present()) return std::nullopt;
  return AccessStatus{.allowed = is_true(status.find("allowed")),
                      .denied = is_true(status.find("denied")),
                      .reason = std::string(status.find("reason").text())};
}

std::string failure_of(const kube::Answer& answer) {
  if (answer.fate != kube::Answer::Fate::kAnswered)
    return answer.error.empty() ? "no answer from the API server" : answer.error;
  if (answer.ok()) return "the API server's answer is not the review that was asked for";
  document::Document document;
  const std::string message(parsed_object(answer.body, document).find("message").text());
  return message.empty() ? "the API server answered with status " + std::to_string(answer.status)
                         : message;
}

}  // namespace berth::service
