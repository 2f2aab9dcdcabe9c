#pragma once

// Refusals of the server, as the Status objects that clients know: with the words, reasons and
// codes of a real server.

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "tests/apiserver/resources/resource.h"

namespace berth::apiserver {

struct Cause {
  std::string reason, message, field;  // those that are empty are left out
};

// Thrown by what handles a request; the server answers with to_json().
struct Problem : std::exception {
  int code = 500;
  std::string reason;  // "NotFound"; empty: left out
  std::string message;
  // The details; empty texts are left out.
  std::string name, group, kind, uid;
  std::vector<Cause> causes;
  int64_t retry_after_seconds = 0;  // 0: left out
  std::string continue_token;       // of the metadata; empty: left out

  Problem(int its_code, std::string its_reason, std::string its_message)
      : code(its_code), reason(std::move(its_reason)), message(std::move(its_message)) {}
  const char* what() const noexcept override { return message.c_str(); }

  std::string to_json() const;
};

Problem bad_request(std::string message);
Problem not_found(const Resource& resource, std::string_view name);
Problem already_exists(const Resource& resource, std::string_view name);
// "Operation cannot be fulfilled on KIND \"NAME\": WHY". `kind`: usually the plural.
Problem conflict(const Resource& resource, std::string_view kind, std::string_view name,
                 std::string_view why);
// "KIND \"NAME\" is invalid: FIELD: WHY".
Problem invalid(const Resource& resource, std::string_view name, std::string_view field,
                std::string_view why);
// "PLURAL \"NAME\" is forbidden: WHY".
Problem forbidden(const Resource& resource, std::string_view name, std::string_view why);
Problem unsupported_method();
Problem unsupported_body(std::string_view content_type);
Problem too_old(std::string message);

// The Status of a success, with the name and kind that it is about.
std::string success_json(const Resource& resource, std::string_view name, std::string_view uid);
std::string success_json();

// "pods", or with its group "replicasets.apps".
std::string qualified(const Resource& resource);

}  // namespace berth::apiserver
