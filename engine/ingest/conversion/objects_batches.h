#pragma once

// Makes the batches of a stream of the objects of files. Internal to this folder.

#include <deque>

#include "engine/ingest/conversion/convert.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/stream/stream.h"

namespace berth::ingest {

// This part of the objects: the cluster, by kind, claims that came into being with pods, and the
// pods that wait for a node, which arrive together.
std::deque<Batch> batches_of(Objects objects, Part part);

}  // namespace berth::ingest
