#pragma once

// Plain values to objects of the schema, the reverse of stream_decode.h. Each value is taken apart
// into all of its members, so that one that is added to engine/model/objects.h does not compile
// here until it is carried.

#include <flatbuffers/flatbuffers.h>

#include <cstdint>

#include "berth/schema/objects_generated.h"
#include "engine/ingest/stream/stream.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

flatbuffers::Offset<schema::PodSpec> encode(flatbuffers::FlatBufferBuilder& to,
                                            const model::PodSpec& spec);
flatbuffers::Offset<schema::Node> encode(flatbuffers::FlatBufferBuilder& to,
                                         const model::Node& node);
flatbuffers::Offset<schema::Namespace> encode(flatbuffers::FlatBufferBuilder& to,
                                              const model::Namespace& object);

flatbuffers::Offset<schema::SelectorOwner> encode(flatbuffers::FlatBufferBuilder& to,
                                                  const model::SelectorOwner& set);
flatbuffers::Offset<schema::Controller> encode(flatbuffers::FlatBufferBuilder& to,
                                               const model::Controller& controller);
schema::SelectorOwnerKind encode(model::SelectorOwnerKind kind);

// The pod as an instance of that template; its own template_id is not looked at.
flatbuffers::Offset<schema::Pod> encode(flatbuffers::FlatBufferBuilder& to, const TemplatePod& pod,
                                        uint32_t template_id);

}  // namespace berth::ingest
