#pragma once

#include <map>
#include <string>
#include <string_view>

namespace berth::apiserver {

// The target of a request, as its first line has it: decoded path and query. False: an escape is
// broken.
bool parse_target(std::string_view target, std::string& path,
                  std::map<std::string, std::string>& query);

}  // namespace berth::apiserver
