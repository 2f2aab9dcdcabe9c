#pragma once

// The API server's rules for when containers of new pods start again, as Kubernetes has them from
// 1.36 on: gates ContainerRestartRules and RestartAllContainersOnContainerExits. Internal to this
// module.

#include "engine/document/document.h"
#include "engine/ingest/admission/field_errors.h"

namespace berth::ingest {

// `container`, at the current place of `errors`: its restartPolicy and restartPolicyRules.
void check_restarts(document::Value container, FieldErrors& errors);
// The resizePolicy of an init container that ends.
void check_resizes(document::Value container, FieldErrors& errors);

}  // namespace berth::ingest
