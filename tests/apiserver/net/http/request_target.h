#pragma once

#include <string_view>

#include "tests/apiserver/api/exchange.h"

namespace berth::apiserver {

// Sets path and query of `request` from a target such as "/api/v1/pods?watch=true". False: it is no
// such target, or has a "%" that is not followed by two hexadecimal digits.
[[nodiscard]] bool set_target(std::string_view target, Request& request);

// The same for a request that is complete otherwise. `user` becomes its header "x-remote-user",
// which a client cannot set itself; empty: there is none.
[[nodiscard]] bool complete_request(std::string_view target, std::string_view user,
                                    Request& request);

// Adds a header field. Several of one name become one, with commas between their values. `name` is
// in lower case.
void add_header(std::string_view name, std::string_view value, Request& request);

}  // namespace berth::apiserver
