#include "engine/kube/config/entries.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/io/io.h"

namespace berth::kube {
namespace {

using document::Value;

constexpr std::string_view kExecGroup = "client.authentication.k8s.io/";

void resolve(std::string& path, const std::string& folder) {
  if (!path.empty()) path = (std::filesystem::path(folder) / path).lexically_normal();
}

void read_pem(Fields& fields, std::string_view file, const std::string& folder, Pem& to) {
  fields.text(file, to.file);
  fields.base64(std::string(file) + "-data", to.data);
  resolve(to.file, folder);
}

// The mode stays as it is where it is not set or unknown; check_exec() reports both.
void read_mode(std::string_view mode, ExecPlugin::Interactive& to) {
  if (mode == "Never") to = ExecPlugin::Interactive::kNever;
  if (mode == "Always") to = ExecPlugin::Interactive::kAlways;
}

ExecPlugin read_exec(Value value, const std::string& folder, UnknownFields& unknown) {
  ExecPlugin exec;
  std::string mode;
  Fields fields(value, "users[].user.exec");
  fields.text("apiVersion", exec.api_version);
  fields.text("command", exec.command);
  fields.texts("args", exec.args);
  for (const Value element : fields.array("env").elements()) {
    Fields variable(element, "users[].user.exec.env[]");
    auto& [name, text] = exec.env.emplace_back();
    variable.text("name", name);
    variable.text("value", text);
    variable.finish(unknown);
  }
  fields.text("interactiveMode", mode);
  fields.text("installHint", exec.install_hint);
  fields.flag("provideClusterInfo", exec.provide_cluster_info);
  fields.finish(unknown);
  read_mode(mode, exec.interactive);
  if (exec.command.find('/') != exec.command.npos) resolve(exec.command, folder);
  return exec;
}

void read_extra(Fields& user, Impersonation& to) {
  const Value value = user.object("as-user-extra");
  if (!value.present()) return;
  Fields extra(value, "users[].user.as-user-extra");
  for (const document::Member& member : value.members()) {
    auto& [key, texts] = to.extra.emplace_back();
    key = member.key;
    extra.headers(key, texts);
  }
}

void check_file(const std::string& path, Value field) {
  if (path.empty()) return;
  try {
    FileSource source(path);
  } catch (const Error& error) {
    throw fault_at(field, "the file " + document::quoted(path) + " " + error.message());
  }
}

// Both forms of one thing are an error for client-go, although it documents which one counts.
void check_pem(const Pem& pem, Value entry, const std::string& field) {
  if (!pem.file.empty() && !pem.data.empty())
    throw fault_at(entry.find(field),
                   field + " and " + field + "-data are both there; remove either");
  check_file(pem.file, entry.find(field));
}

void check_exec(const ExecPlugin& exec, Value value) {
  const bool current = exec.api_version == std::string(kExecGroup) + "v1";
  if (exec.command.empty()) throw fault_at(value, "command is not set; name the program to run");
  if (!current && exec.api_version != std::string(kExecGroup) + "v1beta1")
    throw fault_at(exec.api_version.empty() ? value : value.find("apiVersion"),
                   "apiVersion is " + document::quoted(exec.api_version) + "; expected " +
                       std::string(kExecGroup) + "v1 or v1beta1");
  for (const Value variable : value.find("env").elements())
    if (variable.find("name").text().empty())
      throw fault_at(variable, "a variable of the environment needs a name");
  constexpr std::array<std::string_view, 3> kModes = {"Never", "IfAvailable", "Always"};
  const Value mode = value.find("interactiveMode");
  if (mode.text().empty() ? current : std::ranges::find(kModes, mode.text()) == kModes.end())
    throw fault_at(mode.set() ? mode : value, "interactiveMode is " +
                                                  document::quoted(mode.text()) +
                                                  "; expected Never, IfAvailable or Always");
}

}  // namespace

ClusterEntry read_cluster(Value value, const std::string& folder, UnknownFields& unknown) {
  ClusterEntry cluster{.value = value, .part = {}};
  Connection& to = cluster.part;
  bool plain_answers = false;
  Fields fields(value, "clusters[].cluster");
  fields.text("server", to.server);
  fields.text("tls-server-name", to.tls_server_name);
  fields.flag("insecure-skip-tls-verify", to.insecure);
  read_pem(fields, "certificate-authority", folder, to.ca);
  fields.text("proxy-url", to.proxy_url);
  fields.flag("disable-compression", plain_answers);
  fields.ignore({"extensions"});
  fields.finish(unknown);
  to.compression = !plain_answers;
  return cluster;
}

UserEntry read_user(Value value, const std::string& folder, UnknownFields& unknown) {
  UserEntry user{.value = value, .part = {}};
  Connection& to = user.part;
  Fields fields(value, "users[].user");
  read_pem(fields, "client-certificate", folder, to.certificate);
  read_pem(fields, "client-key", folder, to.key);
  fields.header("token", to.token);
  fields.text("tokenFile", to.token_file);
  fields.header("username", to.username);
  fields.header("password", to.password);
  fields.header("as", to.impersonation.user);
  fields.header("as-uid", to.impersonation.uid);
  fields.headers("as-groups", to.impersonation.groups);
  read_extra(fields, to.impersonation);
  if (const Value exec = fields.object("exec"); exec.present())
    to.exec = read_exec(exec, folder, unknown);
  user.has_auth_provider = fields.object("auth-provider").present();
  fields.ignore({"extensions"});
  fields.finish(unknown);
  resolve(to.token_file, folder);
  return user;
}

ContextEntry read_context(Value value, UnknownFields& unknown) {
  ContextEntry context{.value = value, .cluster = {}, .user = {}, .namespace_name = {}};
  Fields fields(value, "contexts[].context");
  fields.text("cluster", context.cluster);
  fields.text("user", context.user);
  fields.text("namespace", context.namespace_name);
  fields.ignore({"extensions"});
  fields.finish(unknown);
  return context;
}

void check_cluster(const ClusterEntry& cluster, const std::string& name, Value named) {
  const Connection& part = cluster.part;
  if (part.server.empty())
    throw fault_at(cluster.value.set() ? cluster.value : named,
                   "the cluster " + document::quoted(name) + " has no server; expected its URL");
  const Value proxy = cluster.value.find("proxy-url");
  constexpr std::array<std::string_view, 3> kSchemes = {"http://", "https://", "socks5://"};
  if (!part.proxy_url.empty() && std::ranges::none_of(kSchemes, [&](std::string_view scheme) {
        return part.proxy_url.starts_with(scheme) && part.proxy_url.size() > scheme.size();
      }))
    throw fault_at(proxy, "expected a URL that begins with http://, https:// or socks5://");
  check_pem(part.ca, cluster.value, "certificate-authority");
  if (part.insecure && !part.ca.empty())
    throw fault_at(cluster.value.find("insecure-skip-tls-verify"),
                   "a certificate authority has no effect where the server's certificate is not "
                   "verified; remove either");
}

void check_user(const UserEntry& user) {
  const Connection& part = user.part;
  const Value value = user.value;
  if (user.has_auth_provider)
    throw fault_at(value.find("auth-provider"),
                   "auth-provider is not supported: client-go has removed the providers of clouds; "
                   "use exec with the cloud's plugin, such as gke-gcloud-auth-plugin or kubelogin");
  if (!part.certificate.empty()) {
    check_pem(part.certificate, value, "client-certificate");
    check_pem(part.key, value, "client-key");
    if (part.key.empty())
      throw fault_at(value,
                     "a client certificate without its key; add client-key or "
                     "client-key-data");
  }
  if (!part.token.empty() && !(part.username + part.password).empty())
    throw fault_at(value, "a token and a username or password; remove either");
  if (part.token.empty()) check_file(part.token_file, value.find("tokenFile"));
  if (part.exec) check_exec(*part.exec, value.find("exec"));
  const Impersonation& as = part.impersonation;
  if (as.user.empty() && !(as.uid.empty() && as.groups.empty() && as.extra.empty()))
    throw fault_at(value, "as-uid, as-groups and as-user-extra need a user to impersonate; set as");
}

}  // namespace berth::kube
