#include "tests/apiserver/verbs/review.h"

#include "tests/apiserver/api/faults.h"
#include "tests/apiserver/objects/json.h"
#include "tests/apiserver/objects/problem.h"

namespace berth::apiserver {
namespace {

const User* bearer_of(const Access& access, const Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  const auto header = request.headers.find("authorization");
  if (header == request.headers.end() || !header->second.starts_with(kBearer)) return nullptr;
  const auto user = access.tokens.find(header->second.substr(kBearer.size()));
  return user == access.tokens.end() ? nullptr : &user->second;
}

const User& require_bearer(const Access& access, const Request& request) {
  const User* user = bearer_of(access, request);
  if (user == nullptr) throw Problem(401, "Unauthorized", "Unauthorized");
  return *user;
}

json::object user_json(const User& user) {
  json::array groups;
  for (const std::string& group : user.groups) groups.push_back(json::value(group));
  return {{"username", user.name}, {"uid", user.uid}, {"groups", std::move(groups)}};
}

void review_token(const Access& access, json::value& review) {
  const auto found = access.tokens.find(std::string(text_at(review, "spec.token")));
  json::object& status = make_object(review, "status");
  status["authenticated"] = found != access.tokens.end();
  if (found != access.tokens.end()) status["user"] = user_json(found->second);
}

void review_access(const Access& access, json::value& review) {
  User user{std::string(text_at(review, "spec.user")), {}, {}};
  if (const json::array* groups = array_at(review, "spec.groups")) {
    for (const json::value& group : *groups) {
      if (group.is_string()) user.groups.emplace_back(view(group.get_string()));
    }
  }
  Attempt attempt;
  std::string resource;
  if (object_at(review, "spec.resourceAttributes") != nullptr) {
    resource = text_at(review, "spec.resourceAttributes.resource");
    const std::string_view part = text_at(review, "spec.resourceAttributes.subresource");
    if (!part.empty()) resource.append("/").append(part);
    attempt = {text_at(review, "spec.resourceAttributes.verb"),
               text_at(review, "spec.resourceAttributes.group"),
               resource,
               {}};
  } else {
    attempt = {text_at(review, "spec.nonResourceAttributes.verb"),
               {},
               {},
               text_at(review, "spec.nonResourceAttributes.path")};
  }
  const bool allowed = access.allows(user, attempt);
  make_object(review, "status")["allowed"] = allowed;
}

}  // namespace

std::optional<Answer> review(const Access& access, const Request& request) {
  const bool of_token = request.path == "/apis/authentication.k8s.io/v1/tokenreviews";
  if (!of_token && request.path != "/apis/authorization.k8s.io/v1/subjectaccessreviews") {
    return std::nullopt;
  }
  if (request.method != "POST") throw unsupported_method();
  json::value made = parse_object(request.body);
  made.as_object()["kind"] = of_token ? "TokenReview" : "SubjectAccessReview";
  made.as_object()["apiVersion"] =
      of_token ? "authentication.k8s.io/v1" : "authorization.k8s.io/v1";
  if (of_token) {
    review_token(access, made);
  } else {
    review_access(access, made);
  }
  return Answer{201, json::serialize(made)};
}

std::string_view verb_of(const Call& call) {
  const std::string& method = call.request.method;
  const bool named = !call.route.name.empty();
  if (method == "GET") {
    if (asks_to_watch(call.request)) return "watch";
    return named ? "get" : "list";
  }
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return named ? "delete" : "deletecollection";
  return {};
}

void authorize(const Access& access, const Call& call) {
  if (!access.enforced) return;
  const User& user = require_bearer(access, call.request);
  std::string resource(call.resource().plural);
  if (!call.route.subresource.empty()) resource.append("/").append(call.route.subresource);
  const Attempt attempt{verb_of(call), call.resource().group, resource, {}};
  if (access.allows(user, attempt)) return;

  std::string message = qualified(call.resource());
  if (!call.route.name.empty()) message.append(" \"").append(call.route.name).append("\"");
  message.append(" is forbidden: User \"").append(user.name).append("\" cannot ");
  message.append(attempt.verb).append(" resource \"").append(resource);
  message.append("\" in API group \"").append(attempt.group).append("\"");
  if (call.route.namespace_name.empty()) {
    message += " at the cluster scope";
  } else {
    message.append(" in the namespace \"").append(call.route.namespace_name).append("\"");
  }
  Problem problem(403, "Forbidden", std::move(message));
  problem.name = call.route.name;
  problem.group = call.resource().group;
  problem.kind = call.resource().plural;
  throw problem;
}

void authorize_path(const Access& access, const Request& request) {
  if (access.enforced) require_bearer(access, request);
}

}  // namespace berth::apiserver
