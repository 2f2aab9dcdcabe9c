#pragma once

// The end of a process whose plugin writes to a column.

#include <cstddef>
#include <cstdint>

namespace berth::isolation {

// From now on a write to the memory of note_column_memory() ends the process with
// kWroteToColumnStatus, so that the engine can say why; other faults end it as before. A plugin may
// have a handler of its own instead. Under a sanitizer, which has one, this does nothing.
void end_at_writes_to_columns();

// Memory in which the plugin sees columns, until it is forgotten. One thread at a time; of more
// than a few dozen, some are not noticed.
void note_column_memory(uint64_t address, size_t size);
void forget_column_memory(uint64_t address);

}  // namespace berth::isolation
