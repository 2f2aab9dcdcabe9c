#include "engine/kube/credentials/exec_credential.h"

#include <openssl/evp.h>
#include <unistd.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/fields/time_field.h"
#include "engine/kube/config/fields.h"

namespace berth::kube {
namespace {

using document::Document;
using document::Value;

constexpr size_t kMostBytes = 1 << 20;  // of a file of CAs, and of what a plugin prints

std::string base64_text(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

// Appends a member to an object that already has one.
void add_text(std::string_view name, std::string_view text, std::string& to) {
  if (text.empty()) return;
  to.append(",\"").append(name).append("\":");
  document::append_json_string(text, to);
}

std::string cluster_info(const Connection& connection) {
  std::string to = R"({"server":)";
  document::append_json_string(connection.server, to);
  add_text("tls-server-name", connection.tls_server_name, to);
  if (connection.insecure) to += R"(,"insecure-skip-tls-verify":true)";
  const Pem& ca = connection.ca;
  add_text("certificate-authority-data",
           base64_text(ca.file.empty() ? ca.data : read_file(ca.file, kMostBytes)), to);
  add_text("proxy-url", connection.proxy_url, to);
  if (!connection.compression) to += R"(,"disable-compression":true)";
  return to + "}";
}

bool passes_stdin(ExecPlugin::Interactive mode) {
  if (mode == ExecPlugin::Interactive::kNever) return false;
  const bool terminal = ::isatty(STDIN_FILENO) == 1;
  if (mode == ExecPlugin::Interactive::kAlways && !terminal)
    throw Error("interactiveMode is Always, and standard input is no terminal");
  return terminal;
}

std::string plugin_name(const ExecPlugin& plugin) {
  return "exec plugin " + document::quoted(plugin.command) + ": ";
}

Error missing(const ExecPlugin& plugin) {
  std::vector<std::string> hint;
  if (!plugin.install_hint.empty()) hint.push_back(plugin.install_hint);
  return Error({}, plugin_name(plugin) + "there is no such program; install it, or correct $PATH",
               hint);
}

Credential credential_of(Value root, const std::string& api_version) {
  Fields fields(root, "ExecCredential");
  std::string kind, version;
  fields.text("kind", kind);
  fields.text("apiVersion", version);
  if (kind != "ExecCredential" || version != api_version)
    throw Error("printed " + document::quoted(version) + " " + document::quoted(kind) +
                "; expected " + document::quoted(api_version) + " ExecCredential");
  const Value status = fields.object("status");
  if (!status.present()) throw Error("printed no status");
  Fields read(status, "status");
  Credential to;
  std::string expires;
  read.header("token", to.token);
  read.text("clientCertificateData", to.certificate);
  read.text("clientKeyData", to.key);
  read.text("expirationTimestamp", expires);
  if (to.certificate.empty() != to.key.empty())
    throw Error("printed a client certificate without its key, or a key alone");
  if (to.token.empty() && to.certificate.empty())
    throw Error("printed neither a token nor a client certificate");
  if (!expires.empty()) {
    to.expires = ingest::parse_time(expires);
    if (!to.expires)
      throw fault_at(status.find("expirationTimestamp"),
                     document::quoted(expires) + " is no time in RFC 3339");
  }
  return to;
}

}  // namespace

std::string exec_info(const Connection& connection, bool interactive) {
  BERTH_ASSERT(connection.exec.has_value());
  std::string to = R"({"kind":"ExecCredential","apiVersion":)";
  document::append_json_string(connection.exec->api_version, to);
  to += R"(,"spec":{"interactive":)";
  to += interactive ? "true" : "false";
  if (connection.exec->provide_cluster_info) to += ",\"cluster\":" + cluster_info(connection);
  return to + "}}";
}

Credential parse_exec_credential(std::string_view text, const std::string& api_version) {
  Diagnostics diagnostics;
  document::Limits limits;
  limits.bytes = kMostBytes;
  limits.json_only = true;
  const Document document = Document::parse(text, "", diagnostics, limits);
  // A message of the parser may quote a secret.
  if (diagnostics.count() != 0 || document.roots().size() != 1)
    throw Error("standard output is not one JSON object");
  return credential_of(document.roots().front(), api_version);
}

Credential run_exec_plugin(const Connection& connection, int stop, Time limit) {
  const ExecPlugin& plugin = *connection.exec;
  try {
    Command command;
    command.words = {plugin.command};
    command.words.insert(command.words.end(), plugin.args.begin(), plugin.args.end());
    command.stdin_passed = passes_stdin(plugin.interactive);
    command.env = plugin.env;
    command.env.emplace_back("KUBERNETES_EXEC_INFO", exec_info(connection, command.stdin_passed));
    command.limit = limit;
    command.most_output = kMostBytes;
    return parse_exec_credential(output_of(command, stop), plugin.api_version);
  } catch (const MissingCommand&) {
    throw missing(plugin);
  } catch (const Error& error) {
    throw Error(plugin_name(plugin) + error.what());
  }
}

}  // namespace berth::kube
