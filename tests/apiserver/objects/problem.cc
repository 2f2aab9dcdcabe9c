#include "tests/apiserver/objects/problem.h"

#include "tests/apiserver/objects/json.h"

namespace berth::apiserver {
namespace {

void put(json::object& into, std::string_view name, std::string_view text) {
  if (!text.empty()) into[name] = text;
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

Problem about(const Resource& resource, std::string_view kind, std::string_view name,
              Problem problem) {
  problem.name = name;
  problem.group = resource.group;
  problem.kind = kind;
  return problem;
}

json::object status_object(std::string_view status) {
  json::object made{{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", json::object()}};
  made["status"] = status;
  return made;
}

}  // namespace

std::string Problem::to_json() const {
  json::object details;
  put(details, "name", name);
  put(details, "group", group);
  put(details, "kind", kind);
  put(details, "uid", uid);
  for (const Cause& cause : causes) {
    json::object made;
    put(made, "reason", cause.reason);
    put(made, "message", cause.message);
    put(made, "field", cause.field);
    json::value& list = details["causes"];
    (list.is_array() ? list.get_array() : list.emplace_array()).push_back(std::move(made));
  }
  if (retry_after_seconds != 0) details["retryAfterSeconds"] = retry_after_seconds;

  json::object made = status_object("Failure");
  if (!continue_token.empty()) made["metadata"].get_object()["continue"] = continue_token;
  made["message"] = message;
  put(made, "reason", reason);
  if (!details.empty()) made["details"] = std::move(details);
  made["code"] = code;
  return json::serialize(made);
}

std::string qualified(const Resource& resource) {
  std::string made(resource.plural);
  if (!resource.group.empty()) made.append(".").append(resource.group);
  return made;
}

Problem bad_request(std::string message) { return {400, "BadRequest", std::move(message)}; }

Problem not_found(const Resource& resource, std::string_view name) {
  return about(resource, resource.plural, name,
               {404, "NotFound", qualified(resource) + " " + quoted(name) + " not found"});
}

Problem already_exists(const Resource& resource, std::string_view name) {
  return about(
      resource, resource.plural, name,
      {409, "AlreadyExists", qualified(resource) + " " + quoted(name) + " already exists"});
}

Problem conflict(const Resource& resource, std::string_view kind, std::string_view name,
                 std::string_view why) {
  std::string message = "Operation cannot be fulfilled on ";
  message.append(kind);
  if (!resource.group.empty()) message.append(".").append(resource.group);
  message.append(" ").append(quoted(name)).append(": ").append(why);
  return about(resource, kind, name, {409, "Conflict", std::move(message)});
}

Problem invalid(const Resource& resource, std::string_view name, std::string_view field,
                std::string_view why) {
  std::string message(resource.kind);
  if (!resource.group.empty()) message.append(".").append(resource.group);
  message.append(" ").append(quoted(name)).append(" is invalid: ");
  message.append(field).append(": ").append(why);
  Problem made = about(resource, resource.kind, name, {422, "Invalid", std::move(message)});
  made.causes.push_back({"FieldValueInvalid", std::string(why), std::string(field)});
  return made;
}

Problem forbidden(const Resource& resource, std::string_view name, std::string_view why) {
  std::string message = qualified(resource) + " " + quoted(name) + " is forbidden: ";
  return about(resource, resource.plural, name, {403, "Forbidden", message.append(why)});
}

Problem unsupported_method() {
  return {405, "MethodNotAllowed",
          "the server does not allow this method on the requested resource"};
}

Problem unsupported_body(std::string_view content_type) {
  return {415, "UnsupportedMediaType",
          "the body of the request was in an unknown format - accepted media types include: "
          "application/json, not " +
              quoted(content_type)};
}

Problem too_old(std::string message) { return {410, "Expired", std::move(message)}; }

std::string success_json() { return json::serialize(status_object("Success")); }

std::string success_json(const Resource& resource, std::string_view name, std::string_view uid) {
  json::object details;
  put(details, "name", name);
  put(details, "group", resource.group);
  put(details, "kind", resource.plural);
  put(details, "uid", uid);
  json::object made = status_object("Success");
  made["details"] = std::move(details);
  return json::serialize(made);
}

}  // namespace berth::apiserver
