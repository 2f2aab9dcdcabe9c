#pragma once

// The outcome of the drains of a run.

#include <list>
#include <vector>

#include "engine/controllers/drain/drain.h"
#include "engine/output/pod_result.h"
#include "engine/output/summary.h"

namespace berth::cli {

std::vector<output::DrainResult> drain_results(const std::list<controllers::Drain>& drains);
void count_drains(const std::list<controllers::Drain>& drains, output::Summary& summary);
// Names, on standard error, nodes that are not drained, and why.
void say_drains(const std::list<controllers::Drain>& drains);

}  // namespace berth::cli
