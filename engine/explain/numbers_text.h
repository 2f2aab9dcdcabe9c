#pragma once

#include <string>
#include <vector>

#include "engine/host/calls/numbers.h"

namespace berth::explain {

// One text for each item: "PLUGIN cpu: wanted 2, free 500m". Not made printable.
std::vector<std::string> numbers_text(const std::string& plugin,
                                      const std::vector<host::Item>& items);

}  // namespace berth::explain
