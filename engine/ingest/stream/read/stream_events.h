#pragma once

// Decodes payloads of objects (templates, clusters and events) to batches.

#include <functional>
#include <memory>
#include <vector>

#include "berth/schema/cluster_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/ingest/stream/read/stream_columns.h"
#include "engine/ingest/stream/read/stream_decode.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_templates.h"

namespace berth::ingest {

// All functions fill `out` with the valid objects, report the others to `refuse` and leave them
// out. Requires: the payload passed check_payload().

// Also retires and defines the templates in `templates`.
void decode_templates(const schema::Templates& in, StreamTemplates& templates,
                      std::vector<uint32_t>& retired, std::vector<TemplateDefinition>& out,
                      const Refusal& refuse);
// All are added, by kind: nodes, namespaces, owners, budgets, storage, pods.
void decode_cluster(const schema::Cluster& in, const StreamTemplates& templates,
                    std::vector<Change>& out, const Refusal& refuse);
void decode_events(const schema::Events& in, const StreamTemplates& templates,
                   std::vector<Change>& out, const Refusal& refuse);

}  // namespace berth::ingest
