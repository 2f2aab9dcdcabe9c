#pragma once

// The parts of an outcome that its text and its page share.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cli/diff/difference_rows.h"
#include "cli/what_if/outcome.h"

namespace berth::cli {

inline constexpr PerSide<std::string_view> kTimes = {"before", "after"};

inline constexpr const char* kPartialText =
    "partial: the run with the script was interrupted, and pods that it did not try wait";

// "no pod is worse off", "3 pods are worse off", "1 drain is not done; no pod changes".
std::string headline(const WhatIf& answer);
// A count, and what it counts, each that is not 0.
std::vector<std::pair<uint64_t, std::string>> fate_rows(const WhatIf& answer);
// When everything runs again, or that it does not.
std::string recovery_text(const WhatIf& answer);
// "at 1m0s: drain node n1".
std::string step_title(const StepOutcome& step);
// The objects that the step touched, and the pods that left because of it. `most` nodes are named.
std::vector<std::string> step_lines(const StepOutcome& step, size_t most);

// "a, b and 7 more". `most`: names at least, and one more instead of "1 more".
std::string first_names(const std::vector<std::string>& names, size_t most);

std::vector<SideRow> pod_rows(const WhatIf& answer);
// Pods that wait, by the reasons of their events, whatever the numbers of nodes.
std::vector<SideRow> reason_rows(const WhatIf& answer);
std::vector<SideRow> zone_rows(const WhatIf& answer);
// Pods that moved, by the zones from which and to which.
std::vector<std::pair<std::string, uint64_t>> zone_moves(const WhatIf& answer);
// Drains that did not end well, and why.
std::vector<std::string> drain_lines(const WhatIf& answer, size_t most);

// Indices of WhatIf::changes: pods that are worse off first.
std::vector<size_t> by_importance(const WhatIf& answer);
// "n1 -> web-7 on n2", "n1 -> gone".
std::string way_text(const PodChange& change);
// Why it left, and why the pod in its place waits; may be empty.
std::string why_text(const PodChange& change);

}  // namespace berth::cli
