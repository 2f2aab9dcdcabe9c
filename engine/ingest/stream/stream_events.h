#pragma once

// Payloads that lie object by object: templates, clusters and events, to batches.

#include <functional>
#include <memory>
#include <vector>

#include "berth/schema/cluster_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_columns.h"
#include "engine/ingest/stream/stream_decode.h"
#include "engine/ingest/stream/stream_templates.h"

namespace berth::ingest {

// Each fills `out` with the objects that are good, and refuses and leaves out the others.
// Requires of all: the payload passed check_payload(). `version` is that of the frame.

// Defines them in `templates`, too.
void decode_templates(const schema::Templates& in, StreamTemplates& templates,
                      std::vector<TemplateDefinition>& out, const Refusal& refuse);
void decode_cluster(const schema::Cluster& in, const StreamTemplates& templates, ClusterPart& out,
                    const Refusal& refuse);
void decode_events(const schema::Events& in, const StreamTemplates& templates, uint8_t version,
                   std::vector<Event>& out, const Refusal& refuse);

}  // namespace berth::ingest
