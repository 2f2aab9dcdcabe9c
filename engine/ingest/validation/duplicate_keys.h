#pragma once

// Finds keys that occur twice in a mapping. Internal to this module.

#include "engine/document/document.h"
#include "engine/ingest/objects/fields/field_reader.h"

namespace berth::ingest {

// Reports each second occurrence of a key within the object, as an API server does that decodes
// strictly. Readers take the last occurrence.
void report_duplicate_keys(document::Value object, Faults& faults);
// The same of the object's own members, not of those within them.
void report_own_duplicate_keys(document::Value object, Faults& faults);

}  // namespace berth::ingest
