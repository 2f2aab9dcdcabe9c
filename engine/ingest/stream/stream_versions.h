#pragma once

// What each version of the format has: the schemas say what the newest one has, and this what of
// that came later than the first. An addition to a schema belongs here, too.

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/minireflect.h>

#include <cstddef>
#include <cstdint>

#include "berth/schema/pod_stream_generated.h"

namespace berth::ingest {

// How many fields, from its first, a table may have in a frame of that version.
size_t fields_in_version(const flatbuffers::TypeTable* type, uint8_t version);

// Whether such a frame may have events of that kind.
bool has_event_kind(uint8_t version, schema::EventKind kind);

}  // namespace berth::ingest
