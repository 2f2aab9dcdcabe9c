#pragma once

// Ctrl-C: the first ends the run in an orderly way, the second at once.

namespace berth::bench {

// From here on SIGINT and SIGTERM are noted; children inherit it.
void note_interrupts();
bool interrupted();

}  // namespace berth::bench
