#pragma once

#include <vector>

#include "engine/ingest/objects/objects.h"
#include "engine/ingest/written/whole_object.h"

namespace berth::ingest {

// From now on, appends each pod, node and pod template that the reader takes to `whole`, as it
// came. Replaces the reader's visitor; `whole` outlives its use.
void keep_whole(ObjectReader& reader, std::vector<WholeObject>& whole);

}  // namespace berth::ingest
