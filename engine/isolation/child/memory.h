#pragma once

// The end of a process that cannot have more memory.

namespace berth::isolation {

// From now on an allocation that fails for want of memory ends the process, with
// kOutOfMemoryStatus: what the plugin leaked is given back, and the engine can say why a call
// failed. Otherwise each plugin would have a way of its own to fail, and most would crash. Under a
// sanitizer, whose allocator reports such failures itself, this does nothing.
void end_without_memory();

// True if not even a mebibyte can be had: then what failed, failed for want of memory.
bool memory_is_spent();

}  // namespace berth::isolation
