#pragma once

// Parts of a replay's JSON.

#include "cli/replay/replayed_pods.h"
#include "engine/document/json/json_writer.h"

namespace berth::cli {

// A member of the object that is being written.
void write_cause(document::PrettyJsonWriter& json, const Cause& cause);
void write_pods(document::PrettyJsonWriter& json, const ReplayedPods& pods);

}  // namespace berth::cli
