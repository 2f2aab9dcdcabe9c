// Fuzzes read_identity with arbitrary files.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "engine/base/error.h"
#include "engine/host/loading/elf_note.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto identity =
        berth::host::read_identity({reinterpret_cast<const std::byte*>(data), size});
    if (identity.id.empty() || identity.name.empty() || identity.points.empty()) std::abort();
  } catch (const berth::Error&) {
    // An invalid file must produce an Error with a text.
  }
  return 0;
}
