#pragma once

// Decodes the objects of storage, and what a pod says of its volumes.

#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

// Precondition: the kind is one of VolumeObject's. Otherwise as the functions of objects.h.
std::optional<model::VolumeObject> decode_volume_object(document::Value value,
                                                        std::string_view kind,
                                                        Diagnostics& diagnostics,
                                                        Defaults defaults);
// The same for a template of objects, which needs no name.
std::optional<model::VolumeObject> decode_volume_template(document::Value value,
                                                          std::string_view kind,
                                                          Diagnostics& diagnostics);
// A claim template of a workload. Its name is that of the pods' volume; namespace and status are
// not read.
model::PersistentVolumeClaim read_claim_template(const FieldReader& in);
// The claim templates of the ephemeral volumes of a pod's spec, with the volumes' names.
std::vector<model::PersistentVolumeClaim> read_ephemeral_claims(const FieldReader& spec);
// A volume of a pod's spec, of which an API server takes one source alone; of several the first
// counts that is read. Nothing: scheduling does not read its source.
std::optional<model::PodVolume> read_pod_volume(const FieldReader& in);
// The volumes of a pod's spec that scheduling reads, in order.
std::vector<model::PodVolume> read_pod_volumes(const FieldReader& spec);
// True if one of its volumes is an emptyDir.
bool has_empty_dir(const FieldReader& spec);

}  // namespace berth::ingest
