#pragma once

// create, update and patch, of objects and of their status.

#include "tests/apiserver/verbs/core.h"

namespace berth::apiserver {

// Each throws Problem, and then nothing was written.
Answer create_object(Call& call);
Answer update_object(Call& call);
Answer patch_object(Call& call);

// Throws Problem if the uid or resourceVersion that a request demands, where it demands one, is not
// that of the object: with the words of the storage.
void require_versions(const Resource& resource, const Object& object, std::string_view uid,
                      std::string_view revision);

}  // namespace berth::apiserver
