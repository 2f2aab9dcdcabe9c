#pragma once

// delete, deletecollection and the eviction of a pod.

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// Each throws Problem, and then nothing was written.
Answer delete_object(Call& call);
Answer delete_collection(Call& call);
Answer evict_pod(Call& call);

// True if the object is being deleted and nothing holds it any more: neither a grace period nor a
// finalizer.
bool may_go(const json::value& tree);

}  // namespace berth::apiserver
