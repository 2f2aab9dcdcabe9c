#pragma once

// The way to an API server, and the user. Plain values: no file was read but the one that says all
// this, and nothing was connected.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::kube {

// PEM text, or the absolute path of a file with it. At most one of the two is set.
struct Pem {
  std::string data, file;

  bool empty() const { return data.empty() && file.empty(); }
  bool operator==(const Pem&) const = default;
};

// A program that prints credentials (client.authentication.k8s.io).
struct ExecPlugin {
  enum class Interactive : uint8_t { kNever, kIfAvailable, kAlways };  // what it does with stdin

  std::string api_version;  // of what it prints: client.authentication.k8s.io/v1 or /v1beta1
  std::string command;      // an absolute path, or a name to look for in $PATH
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;  // added to that of this process
  Interactive interactive = Interactive::kIfAvailable;
  std::string install_hint;           // to show if the command is missing; any text
  bool provide_cluster_info = false;  // in $KUBERNETES_EXEC_INFO
  bool operator==(const ExecPlugin&) const = default;
};

// Whom requests are made as. Without a user, all is empty.
struct Impersonation {
  std::string user, uid;
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;
  bool operator==(const Impersonation&) const = default;
};

// Texts that are sent in headers (token, username, password, impersonation but for keys of `extra`)
// contain no control characters.
struct Connection {
  std::string server;  // http(s)://HOST[:PORT][/PATH], without query, user and final slash
  std::string namespace_name = "default";  // of requests that name none

  std::string tls_server_name;  // that the certificate has to be for; empty: the host of `server`
  bool insecure = false;        // the server's certificate is not verified; then there is no `ca`
  Pem ca;                       // empty: the system's, unless insecure
  std::string proxy_url;        // http, https or socks5; empty: as $HTTPS_PROXY and its kin say
  bool compression = true;      // answers may be compressed

  // Credentials, all optional, and all empty if `server` is http://. The key is there if and only
  // if the certificate is. Only one of `token` and `username` is set.
  Pem certificate, key;
  std::string token;
  std::string token_file;  // absolute; read again when it changes. Counts before `token`
  std::string username, password;
  std::optional<ExecPlugin> exec;

  Impersonation impersonation;

  bool operator==(const Connection&) const = default;
};

}  // namespace berth::kube
