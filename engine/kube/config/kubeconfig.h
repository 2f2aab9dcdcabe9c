#pragma once

// Kubeconfig files, as client-go reads them (tools/clientcmd).
//
//   Kubeconfig::read(path).connection();                                           // --kubeconfig
//   Kubeconfig::merge(kubeconfig_paths(getenv("KUBECONFIG"), getenv("HOME"))).connection();
//
// It differs from client-go where that takes input in silence that nobody can mean: a key that
// occurs twice in an object, several documents in a file, and a context with a user that does not
// exist are errors here. auth-provider is not supported.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/kube/config/connection.h"
#include "engine/kube/config/entries.h"

namespace berth::kube {

// The files to merge: those of $KUBECONFIG, separated by ':', each once; else ~/.kube/config. Null
// or empty: the variable is not set.
std::vector<std::string> kubeconfig_paths(const char* kubeconfig, const char* home);

// One or more files. Not thread-safe.
class Kubeconfig {
 public:
  static constexpr uint64_t kMostBytes = 16 << 20;  // of a file

  // Reads the file that the user asked for; "-" is standard input. Throws Error if it cannot be
  // read, is malformed or has a value of a wrong type.
  static Kubeconfig read(const std::string& path);

  // The same for several files, of which those that do not exist are skipped. The first file that
  // has a cluster, user or context of a name counts for it alone, and the first one with a
  // current-context for that. Relative paths are relative to the folder of their own file.
  static Kubeconfig merge(const std::vector<std::string>& paths);

  // True if there was no file, or nothing in them. client-go then tries in_cluster().
  bool empty() const;

  // The connection of a context, by default of the current one. Without a namespace in the context
  // it is "default"; without a user in it, there are no credentials; a server without a scheme is
  // http. As client-go does, credentials are left out for http, and of the entries only those that
  // are used have to be valid. Throws Error.
  Connection connection(std::string_view context = {}) const;

  // Fields that are not known, in the order of the files.
  const std::vector<Error>& remarks() const { return unknown_.remarks(); }

 private:
  template <typename Entry>
  struct Named {
    document::Value named;  // the element of the list
    Entry entry;
  };
  template <typename Entry>
  using ByName = std::map<std::string, Named<Entry>, std::less<>>;

  void add(const std::string& path);
  template <typename Entry, typename Read>
  void add_list(Fields& config, std::string_view list, std::string_view member,
                ByName<Entry>& entries, Read read);

  std::vector<std::string> paths_;             // all that were asked for
  std::vector<document::Document> documents_;  // that the entries refer to
  document::Value current_context_;            // a string that is not empty, or absent
  ByName<ClusterEntry> clusters_;
  ByName<UserEntry> users_;
  ByName<ContextEntry> contexts_;
  UnknownFields unknown_;
};

}  // namespace berth::kube
