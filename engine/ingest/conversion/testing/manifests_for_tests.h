#pragma once

// Manifests of the shapes that people write and that clusters print.

#include <cstdint>
#include <string>

namespace berth::ingest {

// A List in JSON that an API server would take: nodes, then pods of every shape that the fields of
// the API allow, drawn from the seed. Each optional field is there in some pods and absent in
// others: ports, probes, environments, volumes of every type, init containers and sidecars,
// security contexts, affinity, and status and managedFields of live objects.
std::string drawn_manifests(uint64_t seed);

}  // namespace berth::ingest
