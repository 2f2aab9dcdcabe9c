#include "engine/kube/config/kubeconfig.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "engine/base/text/joined.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using document::Document;
using document::Value;

Document parsed(const std::string& path) {
  Diagnostics diagnostics;
  document::Limits limits;
  limits.bytes = Kubeconfig::kMostBytes;
  limits.unique_keys = true;
  Document document = Document::read(path, diagnostics, limits);
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  if (document.roots().size() > 1)
    throw fault_at(document.roots()[1], "a second document; a kubeconfig has only one");
  return document;
}

void check_type(Fields& config, Value root) {
  std::string kind = "Config", version = "v1";
  config.text("kind", kind);
  config.text("apiVersion", version);
  if (!kind.empty() && kind != "Config")
    throw fault_at(root.find("kind"),
                   document::quoted(kind) + " is no kubeconfig; expected Config");
  if (!version.empty() && version != "v1")
    throw fault_at(root.find("apiVersion"),
                   document::quoted(version) + " is not known; expected v1");
}

// The names, or the first of many.
template <typename Entries>
std::string names_of(const Entries& entries) {
  constexpr size_t kMost = 10;
  if (entries.empty()) return "there is none";
  std::vector<std::string> names;
  for (auto at = entries.begin(); at != entries.end() && names.size() < kMost; ++at)
    names.push_back(document::quoted(at->first));
  return "expected " + joined(names, ", ") +
         (entries.size() > kMost ? " or another one that is there" : "");
}

template <typename Entries>
const auto& found(const Entries& entries, std::string_view what, const std::string& name,
                  Value place) {
  const auto at = entries.find(name);
  if (at == entries.end())
    throw fault_at(place, "there is no " + std::string(what) + " " + document::quoted(name) + "; " +
                              names_of(entries));
  return at->second;
}

bool is_dns_label(std::string_view text) {
  const auto taken = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  constexpr size_t kLongest = 63;
  return !text.empty() && text.size() <= kLongest && taken(text.front()) && taken(text.back()) &&
         std::ranges::all_of(text, [&](char c) { return taken(c) || c == '-'; });
}

// The URL of a server as a Connection has it. A user in it may be a secret, so no part is shown.
std::string server_url(std::string url, Value place) {
  if (url.find("://") == url.npos) url.insert(0, "http://");
  const size_t host = url.find("://") + 3;
  const std::string_view scheme(url.data(), host);
  const bool plain = std::ranges::all_of(url, [](char c) { return c > ' ' && c < 0x7F; });
  if ((scheme != "http://" && scheme != "https://") || !plain ||
      url.find_first_of("@?#\"\\") != url.npos)
    throw fault_at(place, "expected a URL of the form https://HOST[:PORT][/PATH]");
  while (url.size() > host && url.ends_with('/')) url.pop_back();
  if (url.size() == host || url[host] == '/' || url[host] == ':')
    throw fault_at(place, "the URL has no host; expected https://HOST[:PORT][/PATH]");
  return url;
}

}  // namespace

std::vector<std::string> kubeconfig_paths(const char* kubeconfig, const char* home) {
  std::vector<std::string> paths;
  if (kubeconfig != nullptr && *kubeconfig != '\0') {
    std::istringstream list(kubeconfig);
    for (std::string path; std::getline(list, path, ':');)
      if (!path.empty() && std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  } else if (home != nullptr && *home != '\0') {
    paths.push_back(fs::path(home) / ".kube/config");
  }
  return paths;
}

Kubeconfig Kubeconfig::read(const std::string& path) {
  Kubeconfig config;
  config.add(path);
  return config;
}

Kubeconfig Kubeconfig::merge(const std::vector<std::string>& paths) {
  Kubeconfig config;
  for (const std::string& path : paths) {
    std::error_code other;  // of a file that exists; reading it says so
    if (fs::status(path, other).type() != fs::file_type::not_found) {
      config.add(path);
    } else {
      config.paths_.push_back(path);
    }
  }
  return config;
}

bool Kubeconfig::empty() const {
  return !current_context_.present() && clusters_.empty() && users_.empty() && contexts_.empty();
}

void Kubeconfig::add(const std::string& path) {
  paths_.push_back(path);
  const Document& document = documents_.emplace_back(parsed(path));
  if (document.roots().empty()) return;
  const Value root = document.roots().front();
  const std::string folder = fs::absolute(path).parent_path();
  Fields config(root, "");
  check_type(config, root);
  std::string current;
  config.text("current-context", current);
  if (!current.empty() && !current_context_.present())
    current_context_ = root.find("current-context");
  add_list(config, "clusters", "cluster", clusters_,
           [&](Value value) { return read_cluster(value, folder, unknown_); });
  add_list(config, "users", "user", users_,
           [&](Value value) { return read_user(value, folder, unknown_); });
  add_list(config, "contexts", "context", contexts_,
           [&](Value value) { return read_context(value, unknown_); });
  config.ignore({"preferences", "extensions"});
  config.finish(unknown_);
}

template <typename Entry, typename Read>
void Kubeconfig::add_list(Fields& config, std::string_view list, std::string_view member,
                          ByName<Entry>& entries, Read read) {
  std::set<std::string> names;  // of this file
  for (const Value element : config.array(list).elements()) {
    Fields fields(element, std::string(list) + "[]");
    std::string name;
    fields.text("name", name);
    Entry entry = read(fields.object(member));
    fields.finish(unknown_);
    if (!names.insert(name).second)
      throw fault_at(element, "a second " + std::string(member) + " with the name " +
                                  document::quoted(name) + "; remove either");
    entries.try_emplace(std::move(name), Named<Entry>{element, std::move(entry)});
  }
}

Connection Kubeconfig::connection(std::string_view context) const {
  if (empty())
    throw Error("no kubeconfig: " +
                (paths_.empty()
                     ? std::string("no file is named")
                     : joined(paths_, ", ", document::quoted) + " do not exist or are empty") +
                "; set KUBECONFIG, or name a file");
  if (context.empty() && !current_context_.present())
    throw Error(Place{.file = paths_.front(), .field = "current-context"},
                "no context is chosen; " + names_of(contexts_));
  const std::string chosen(context.empty() ? current_context_.as_string() : context);
  const auto& at =
      found(contexts_, "context", chosen, context.empty() ? current_context_ : Value());
  const ContextEntry& about = at.entry;
  const auto set = [&](std::string_view field) {
    const Value value = about.value.find(field);
    return value.set() ? value : at.named;
  };
  if (about.cluster.empty())
    throw fault_at(set("cluster"), "the context names no cluster; " + names_of(clusters_));
  if (!about.namespace_name.empty() && !is_dns_label(about.namespace_name))
    throw fault_at(set("namespace"),
                   document::quoted(about.namespace_name) + " cannot be a namespace");
  const auto& cluster = found(clusters_, "cluster", about.cluster, set("cluster"));
  check_cluster(cluster.entry, about.cluster, cluster.named);
  UserEntry user;
  if (!about.user.empty()) {
    user = found(users_, "user", about.user, set("user")).entry;
    check_user(user);
  }

  Connection to = cluster.entry.part;
  to.server = server_url(to.server, cluster.entry.value.find("server"));
  if (!about.namespace_name.empty()) to.namespace_name = about.namespace_name;
  to.impersonation = user.part.impersonation;
  if (to.server.starts_with("http://")) return to;
  if (!user.part.certificate.empty()) {
    to.certificate = user.part.certificate;
    to.key = user.part.key;
  }
  to.token = user.part.token;
  to.token_file = user.part.token_file;
  to.username = user.part.username;
  to.password = user.part.password;
  to.exec = user.part.exec;
  return to;
}

}  // namespace berth::kube
