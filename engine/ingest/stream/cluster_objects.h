#pragma once

// The cluster of a stream in the form in which files have it.

#include "engine/ingest/objects/objects.h"
#include "engine/model/objects/events.h"

namespace berth::ingest {

// Appends the objects of the part, of every kind. Their lines are unknown, and so is what their
// pods ask for beyond what scheduling reads.
void append(const model::ClusterPart& part, Objects& objects);

}  // namespace berth::ingest
