#pragma once

// Patches of objects.

#include "tests/apiserver/objects/json.h"

namespace berth::apiserver {

// RFC 7386: null removes, objects are merged, all else replaces.
void merge_patch(json::value& target, const json::value& patch);

// As a server patches the types that it knows: elements of some lists are merged by a key of
// theirs (those of `conditions` by type), and $patch, $deleteFromPrimitiveList, $setElementOrder
// and $retainKeys direct it. The order that $setElementOrder wishes is passed over, and so are the
// keys of $retainKeys. Throws Problem for a list without the key that its elements have to have.
void strategic_patch(json::value& target, const json::value& patch);

}  // namespace berth::apiserver
