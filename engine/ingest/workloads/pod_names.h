#pragma once

// Names that controllers and the API server draw at random, as functions of what they are for, so
// that equal manifests give equal pods. Internal to this module.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/document/document.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// FNV-1a over 32 bits.
uint32_t name_hash(std::string_view text);

// The digits of a number in the alphabet of Kubernetes' generated names, which has no vowels.
std::string safe_encoded(uint32_t number);

// The label pod-template-hash: FNV-1a of the template as JSON with sorted keys, safe-encoded. The
// Deployment controller hashes the printed Go structure, whose text is another; both differ for
// templates that differ.
std::string template_hash(document::Value pod_template);

// `base` and five characters, different for each ordinal under 14,348,907 of one seed. As at the
// API server, a base of more than 58 characters is cut.
std::string generated_name(std::string base, uint32_t seed, uint64_t ordinal);

// A UID of the usual form, for an object of a manifest.
std::string made_uid(std::string_view kind, std::string_view namespace_name, std::string_view name);

// Sets a label.
void set_label(model::StringMap& labels, std::string_view key, std::string_view value);

}  // namespace berth::ingest
