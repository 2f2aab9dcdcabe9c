#pragma once

#include <string_view>

namespace berth::service {

// The token in the value of a header Authorization, as kube-scheduler finds it: the second word, if
// the first is "Bearer" in any case. Empty: there is none.
std::string_view bearer_token(std::string_view authorization);

}  // namespace berth::service
