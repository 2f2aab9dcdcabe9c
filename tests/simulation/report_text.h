#pragma once

#include <string>

#include "engine/runtime/report.h"

namespace berth::simulation {

// A report in words, with the names of pod and node. The cluster is as it was when the report came.
std::string text_of(const runtime::Report& report, const model::Cluster& cluster);

}  // namespace berth::simulation
