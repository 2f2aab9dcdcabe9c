#pragma once

// Payloads that lie by columns, pods and bindings, to batches. Here a pod costs a few nanoseconds,
// so what is common is checked for a column as a whole, and one by one only where that fails.

#include <functional>
#include <optional>
#include <string>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_check.h"
#include "engine/ingest/stream/stream_templates.h"

namespace berth::ingest {

// Called for each entry that is left out.
using Refusal = std::function<void(StreamFault)>;

// Fills `out`, whose views then point into the payload. What is wrong with the frame as a whole is
// returned (`out` is empty then); a pod or binding with something wrong is refused and left out.
// Requires: the payload passed check_payload().
std::optional<StreamFault> decode_pods(const schema::Pods& in, const StreamTemplates& templates,
                                       PodBatch& out, const Refusal& refuse);
std::optional<StreamFault> decode_bindings(const schema::Bindings& in, BindingBatch& out,
                                           const Refusal& refuse);

}  // namespace berth::ingest
