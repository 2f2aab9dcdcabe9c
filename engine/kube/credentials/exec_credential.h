#pragma once

// Credentials that a program prints (client.authentication.k8s.io), as client-go takes them.
// Internal to this module.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/kube/config/connection.h"
#include "engine/kube/credentials/command.h"

namespace berth::kube {

// The proof of its sender that a request shows. All empty: nothing.
struct Credential {
  std::string token;                 // without control characters
  std::string certificate, key;      // PEM; both or none
  std::optional<int64_t> expires{};  // by the clock of the machine, in nanoseconds since 1970
};

// The ExecCredential that the program gets in $KUBERNETES_EXEC_INFO: whether standard input is
// passed, and the cluster if the plugin is to know it. The cluster has no `config`. Reads the file
// of the CA. Throws Error. Precondition: there is a plugin.
std::string exec_info(const Connection& connection, bool interactive);

// Reads the text that the program has printed. Throws Error, which shows nothing of it.
// `api_version`: that of the configuration, which has to be that of the text.
Credential parse_exec_credential(std::string_view text, const std::string& api_version);

// Runs the program and reads what it prints. Blocks up to `limit`. Throws Error, with the hint how
// to install the program if it is missing. `stop`: see output_of(). Any thread.
Credential run_exec_plugin(const Connection& connection, int stop = -1,
                           Time limit = std::chrono::seconds(60));

}  // namespace berth::kube
