#pragma once

// The API server's rules for the metadata of new objects. Internal to this module.

#include "engine/document/document.h"
#include "engine/ingest/admission/field_errors.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// The keys and values of labels, in the field at the current place of `errors`.
void check_labels(const char* field, const model::StringMap& labels, FieldErrors& errors);

// The name, or what it is generated from, and the namespace. A missing name is none of its errors.
// `metadata`: the field of an object of this kind, at the current place of `errors`.
void check_name(document::Value metadata, std::string_view kind, FieldErrors& errors);
void check_annotations(document::Value metadata, FieldErrors& errors);
// References to owners: their parts, and that one at most controls the object. One without a UID is
// taken: it names an object of the same files.
void check_owner_references(document::Value metadata, FieldErrors& errors);

}  // namespace berth::ingest
