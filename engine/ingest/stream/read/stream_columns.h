#pragma once

// Decodes columnar payloads, pods and bindings, to batches.
//
// A pod costs a few nanoseconds here, so checks are made for whole columns where possible. All
// strings of a column lie in one byte vector without gaps, next to a vector of lengths. If the
// vector as a whole is valid UTF-8 and no string begins within a character, every string is valid;
// only otherwise each string is checked. Strings that repeat (namespaces, label keys, controllers)
// are in tables, which are checked once per frame, and columns of indices refer to them. A faulty
// pod is left out of every column of the batch.

#include <functional>
#include <optional>
#include <string>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/pod_stream_generated.h"
#include "engine/ingest/stream/read/stream_check.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_templates.h"

namespace berth::ingest {

// Called for each rejected entry.
using Refusal = std::function<void(StreamFault)>;

// Why a pod with `own` claims of its own does not fit its template, which has `wanted`.
std::string claims_problem(size_t own, size_t wanted);

// Fill `out`; its views point into the payload. A fault of the whole frame is returned, and `out`
// is then empty. A faulty pod or binding is reported to `refuse` and left out. Requires: the
// payload passed check_payload().
[[nodiscard]] std::optional<StreamFault> decode_pods(const schema::Pods& in,
                                                     const StreamTemplates& templates,
                                                     PodBatch& out, const Refusal& refuse);
[[nodiscard]] std::optional<StreamFault> decode_bindings(const schema::Bindings& in,
                                                         BindingBatch& out, const Refusal& refuse);

}  // namespace berth::ingest
