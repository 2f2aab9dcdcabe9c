#pragma once

// Plays the extenders of a conformance case: an HTTP server on 127.0.0.1 that answers as the case's
// scripts say, and records what it is asked.

#include <memory>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace berth::conformance {

// True if the case has scripts for extenders.
bool has_extender_scripts(document::Value root);

class ExtenderScripts {
 public:
  // Serves until it is destroyed. The case outlives it. Throws Error if the system gives no port.
  explicit ExtenderScripts(document::Value root);
  ~ExtenderScripts();

  // The text of the case, with this server in the place of the recorded one; and back.
  std::string to_here(const std::string& json) const;
  std::string to_recorded(std::string json) const;

  // The requests about a pod (namespace/name), as JSON in the form of `requests`. Calls to
  // prioritize, which come at once, are in the order of the extenders.
  std::string requests(const std::string& pod) const;

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace berth::conformance
