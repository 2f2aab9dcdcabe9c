#pragma once

// Hands errors that were gathered apart on to those of the caller. Internal to this module.

#include "engine/base/error.h"

namespace berth::ingest {

// Errors that `found` counts and does not keep are counted alone in `diagnostics`, too.
inline void report_all(const Diagnostics& found, Diagnostics& diagnostics) {
  for (const Error& error : found.kept()) diagnostics.report(error);
  for (uint64_t more = found.count() - found.kept().size(); more != 0; --more)
    diagnostics.report(Error(""));
}

}  // namespace berth::ingest
