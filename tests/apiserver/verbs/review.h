#pragma once

// Who asks, and what they may do.

#include <optional>
#include <string_view>

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// TokenReview and SubjectAccessReview. None: the path is of neither. Throws Problem.
std::optional<Answer> review(const Access& access, const Request& request);

// Throws Problem with code 401 or 403 unless the bearer of the request's token may do it.
void authorize(const Access& access, const Call& call);
void authorize_path(const Access& access, const Request& request);

// "list", "create" and so on, of a request of a resource; empty: none has this method.
std::string_view verb_of(const Call& call);

}  // namespace berth::apiserver
