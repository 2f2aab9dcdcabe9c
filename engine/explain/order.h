#pragma once

#include "engine/explain/explanation.h"

namespace berth::explain {

// Sorts the nodes as Explanation::nodes says and fills in Explanation::groups.
void order(Explanation& explanation);

}  // namespace berth::explain
