#pragma once

// Reports the errors of a validator with their places in the input. Internal to this module.

#include <span>
#include <string>

#include "engine/document/document.h"
#include "engine/ingest/admission/field_errors.h"
#include "engine/ingest/objects/fields/field_reader.h"

namespace berth::ingest {

// Reports each error at its field, or at the closest ancestor of it that is there, with the path of
// `object` before its own. `object`: what the paths of the errors begin at.
void report_errors(document::Value object, std::span<const FieldError> errors, Faults& faults);

// The same, except for errors about fields that touch a fault which was reported before: a field
// that cannot be read is no absent field.
void report_new_errors(document::Value object, std::span<const FieldError> errors, Faults& faults);

}  // namespace berth::ingest
