#pragma once

#include <string>
#include <string_view>

#include "engine/kube/config/connection.h"

namespace berth::kube {

inline constexpr std::string_view kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

// The connection of a pod to its own API server, as its service account. `host` and `port` are the
// values of $KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT, empty if these are not set.
// `folder`, an absolute path, has the files token, ca.crt and namespace; without the last the
// namespace is "default". Throws Error if a value or file is missing or cannot be used. client-go
// goes on without ca.crt; here it has to be there.
Connection in_cluster(std::string_view host, std::string_view port,
                      const std::string& folder = std::string(kServiceAccount));

}  // namespace berth::kube
