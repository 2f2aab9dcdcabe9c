#pragma once

#include <string>
#include <vector>

namespace berth::service {

// A check of health, and how it went.
struct Check {
  std::string name;  // of printable ASCII without space, slash and quote; each once
  bool in_healthz = false, in_livez = false, in_readyz = false;
  std::string failure = {};  // empty: it passed. Shown to senders that may read the single check
};

// The answers that the endpoint gives. Called on the endpoint's thread, while others do their work,
// so all of it is thread-safe; and kubelets wait for it, so it is quick.
class Answers {
 public:
  virtual ~Answers() = default;
  // In the text format of Prometheus, version 0.0.4.
  virtual std::string metrics() = 0;
  // The configuration that is in use, as JSON: an object with the member "componentconfig".
  virtual std::string configuration() = 0;
  virtual std::vector<Check> checks() const = 0;
};

}  // namespace berth::service
