#pragma once

// The differences between versions of the format. The schemas describe the newest version; this
// lists the additions since the first one. Every addition to a schema must be listed here.

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/minireflect.h>

#include <cstddef>
#include <cstdint>

#include "berth/schema/pod_stream_generated.h"

namespace berth::ingest {

// The number of fields, counted from the first, that a table can have in a frame of this version.
size_t fields_in_version(const flatbuffers::TypeTable* type, uint8_t version);

// True if a frame of this version can contain events of this kind.
bool has_event_kind(uint8_t version, schema::EventKind kind);

}  // namespace berth::ingest
