#pragma once

// Converts plain values to objects of the schema; the reverse of stream_decode.h. Every value is
// destructured into all its members, so that a member added to engine/model/objects.h causes a
// compile error here until it is encoded.

#include <flatbuffers/flatbuffers.h>

#include <cstdint>

#include "berth/schema/objects_generated.h"
#include "engine/ingest/stream/stream.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Each function adds the object to `to` and returns its offset. Empty strings, lists and maps are
// left out. Requires: no other table or vector is being built in `to`.
flatbuffers::Offset<schema::PodSpec> encode(flatbuffers::FlatBufferBuilder& to,
                                            const model::PodSpec& spec);
flatbuffers::Offset<schema::Node> encode(flatbuffers::FlatBufferBuilder& to,
                                         const model::Node& node);
flatbuffers::Offset<schema::Namespace> encode(flatbuffers::FlatBufferBuilder& to,
                                              const model::Namespace& object);

flatbuffers::Offset<schema::SelectorOwner> encode(flatbuffers::FlatBufferBuilder& to,
                                                  const model::SelectorOwner& owner);
flatbuffers::Offset<schema::DisruptionBudget> encode(flatbuffers::FlatBufferBuilder& to,
                                                     const model::DisruptionBudget& budget);
flatbuffers::Offset<schema::Controller> encode(flatbuffers::FlatBufferBuilder& to,
                                               const model::Controller& controller);
// As JSON.
flatbuffers::Offset<flatbuffers::String> encode(flatbuffers::FlatBufferBuilder& to,
                                                const model::VolumeObject& object);
flatbuffers::Offset<flatbuffers::String> encode(flatbuffers::FlatBufferBuilder& to,
                                                const model::PodGroup& group);
flatbuffers::Offset<flatbuffers::String> encode(flatbuffers::FlatBufferBuilder& to,
                                                const model::EvictionRequest& request);
flatbuffers::Offset<flatbuffers::String> encode(flatbuffers::FlatBufferBuilder& to,
                                                const model::ControllerObject& object);
schema::SelectorOwnerKind encode(model::SelectorOwnerKind kind);

// Encodes the pod as an instance of template `template_id`; pod.template_id is ignored.
flatbuffers::Offset<schema::Pod> encode(flatbuffers::FlatBufferBuilder& to, const TemplatePod& pod,
                                        uint32_t template_id);

}  // namespace berth::ingest
