#pragma once

// Writes records of a history as members of a step.

#include "engine/conformance/history/history_record.h"
#include "engine/document/json/json_writer.h"

namespace berth::conformance {

// Seconds, to the millisecond.
double seconds(Time time);

// `counts`: the case records how far searches went.
void write_attempt(document::JsonWriter& writer, const Attempt& attempt, bool counts);
void write_state(document::JsonWriter& writer, const SchedulerState& state);
// Writes the state in a history of the queue alone: the lists of pods, sorted, also empty ones.
void write_queue(document::JsonWriter& writer, const SchedulerState& state);

}  // namespace berth::conformance
