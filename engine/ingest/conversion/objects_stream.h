#pragma once

// Writes the objects of files as frames. Internal to this folder.

#include <cstdint>
#include <vector>

#include "engine/ingest/conversion/convert.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

// Returns the frames of the conversion's part of the objects. An object that does not fit in a
// frame is reported to the conversion's faults and left out.
std::vector<uint8_t> frames_of(Objects objects, Conversion& conversion);

}  // namespace berth::ingest
