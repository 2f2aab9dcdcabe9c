#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/apiserver/api/access.h"
#include "tests/apiserver/api/clock.h"

namespace berth::apiserver {

struct Options {
  uint64_t seed = 1;  // of UIDs, generated names and faults
  // A pod that is deleted on a node goes after its grace period times this, as a kubelet would have
  // it. 0: as soon as the clock comes to it. None: there is no kubelet, so it stays until it is
  // deleted with a grace period of 0.
  std::optional<double> grace_scale = 1.0;
  // Events that are kept of each kind of object, for watches and lists from a former revision.
  size_t history = 50'000;
  Nanoseconds bookmark_period = 60 * kSecond;
  // Bytes that a watch may leave untaken before it is ended; only of a Backlog.
  uint64_t watch_backlog = 64 << 20;
  bool pod_groups = false;  // scheduling.x-k8s.io/v1alpha1 is served
  // The authority of clients and proxies, in PEM, which the config map extension-apiserver-
  // authentication tells to components with a port of their own. Empty: there is no such map.
  std::string client_authority;
  Access access;
};

}  // namespace berth::apiserver
