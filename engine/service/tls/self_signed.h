#pragma once

#include <string>

#include "engine/service/tls/openssl.h"

namespace berth::service {

struct Identity {
  OwnedKey key;
  OwnedCertificate certificate;
};

// A new key and its certificate, signed by itself, for a server that clients do not verify. As
// kube-scheduler's it is for localhost, 127.0.0.1 and the address, unless that is of all
// interfaces. Valid for ten years, so that it outlives the process. Throws Error.
Identity make_self_signed(const std::string& bind_address);

}  // namespace berth::service
