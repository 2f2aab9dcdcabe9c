#pragma once

// One entry of `extenders`: an HTTP server that takes part in decisions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"

namespace berth::config {

// The data of a key or certificate is the content of a PEM file; it counts before the file.
struct ExtenderTls {
  bool insecure = false;    // the server's certificate is not verified
  std::string server_name;  // that the certificate has to be for; empty: the host of the URL
  std::string cert_file, key_file, ca_file;
  std::string cert_data, key_data, ca_data;
};

// A resource that an extender manages. It is called for pods only that ask for one of its
// resources; without any, for all pods.
struct ManagedResource {
  std::string name;
  bool ignored_by_scheduler = false;  // the Filter of resources does not check it
};

struct Extender {
  static constexpr int64_t kDefaultTimeout = 5'000'000'000;

  std::string url_prefix;  // also the extender's name
  // Appended to the URL; empty: the extender does not take part in the step.
  std::string filter_verb, preempt_verb, prioritize_verb, bind_verb;
  int64_t weight = 0;  // of the scores; above 0 with a prioritize_verb
  bool enable_https = false;
  std::optional<ExtenderTls> tls;
  int64_t timeout = kDefaultTimeout;  // nanoseconds, of a whole exchange; below 0: none
  bool node_cache_capable = false;    // gets names of nodes instead of objects
  std::vector<ManagedResource> managed_resources;
  bool ignorable = false;  // its failures do not fail pods
  Place place;             // with its path, extenders[0]
};

}  // namespace berth::config
