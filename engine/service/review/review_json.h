#pragma once

// TokenReview (authentication.k8s.io/v1) and SubjectAccessReview (authorization.k8s.io/v1).

#include <optional>
#include <string>
#include <string_view>

#include "engine/kube/http/http.h"
#include "engine/service/review/reviewer.h"

namespace berth::service {

inline constexpr std::string_view kTokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
inline constexpr std::string_view kAccessReviews =
    "/apis/authorization.k8s.io/v1/subjectaccessreviews";

std::string token_review(std::string_view token);
std::string access_review(const User& user, std::string_view path, std::string_view verb);

struct TokenStatus {
  bool authenticated = false;
  User user;          // if it is authenticated
  std::string error;  // the server could not find out; any text
};

struct AccessStatus {
  bool allowed = false, denied = false;
  std::string reason;  // any text
};

// Nothing: the answer is no such review. Any text is taken.
std::optional<TokenStatus> token_status(const std::string& body);
std::optional<AccessStatus> access_status(const std::string& body);

// Why an answer is of no use; any text. Precondition: it is not ok(), or could not be read.
std::string failure_of(const kube::Answer& answer);

}  // namespace berth::service
