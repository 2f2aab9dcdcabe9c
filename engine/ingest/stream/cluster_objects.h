#pragma once

// The cluster of a stream in the form in which files have it.

#include <span>

#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/change.h"

namespace berth::ingest {

// Appends the objects. Their lines are unknown, and so is what their pods ask for beyond what
// scheduling reads. Precondition: all are added.
void append(std::span<const model::Change> cluster, Objects& objects);

}  // namespace berth::ingest
