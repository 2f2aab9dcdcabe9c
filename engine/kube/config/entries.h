#pragma once

// The entries of a kubeconfig's lists, each read and checked for its types alone. Internal to this
// module.

#include <string>

#include "engine/document/document.h"
#include "engine/kube/config/connection.h"
#include "engine/kube/config/fields.h"

namespace berth::kube {

// Each entry has the value that it was read from, for the places of errors: valid as long as its
// document. Absent if the entry has a name alone. The parts of a connection that an entry does not
// give are as a new connection has them.

struct ClusterEntry {
  document::Value value;
  Connection part;  // `server` as it stands there
};

struct UserEntry {
  document::Value value;
  Connection part;
  bool has_auth_provider = false;
};

struct ContextEntry {
  document::Value value;
  std::string cluster, user, namespace_name;
};

// Reads the value beside an entry's name. Paths of files become absolute: they are relative to
// `folder`, which is absolute. Throws Error for values of wrong types.
ClusterEntry read_cluster(document::Value value, const std::string& folder, UnknownFields& unknown);
UserEntry read_user(document::Value value, const std::string& folder, UnknownFields& unknown);
ContextEntry read_context(document::Value value, UnknownFields& unknown);

// Check an entry that is used by client-go's rules (clientcmd/validation.go), and what Berth does
// not support. Files that are named have to be there. `name`: of the entry, which is named at
// `named`. Throw Error.
void check_cluster(const ClusterEntry& cluster, const std::string& name, document::Value named);
void check_user(const UserEntry& user);

}  // namespace berth::kube
