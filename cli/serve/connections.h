#pragma once

// Which API server a service talks to.

#include <string>

#include "engine/kube/config/connection.h"

namespace berth::cli {

// `kubeconfig`: a file; empty: the pod's own server. `master`: a URL that takes the place of the
// server's; empty: none. Prints remarks. Throws Error.
kube::Connection connection_to(const std::string& kubeconfig, const std::string& master);

}  // namespace berth::cli
