#pragma once

#include "engine/model/objects/objects.h"

namespace berth::model {

// True if the toleration matches the taint by key, value and effect. An unknown operator matches
// nothing. Source: k8s.io/api core/v1 toleration.go.
bool tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace berth::model
