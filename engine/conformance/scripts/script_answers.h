#pragma once

// The answers of the scripts of a case, without the serving.

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/document/document.h"

namespace berth::conformance {

struct ScriptAnswer {
  unsigned status = 200;
  std::string body;
  bool never = false;  // no answer until the client gives up
};

// One request as it is recorded.
struct ScriptRequest {
  size_t extender = 0;
  std::string verb;
  std::string pod;   // namespace/name
  std::string json;  // the entry of `requests`
};

// Thread-safe: it only reads the case.
class ScriptAnswers {
 public:
  explicit ScriptAnswers(document::Value root);

  // Throws Error for a request that no scheduler sends.
  std::pair<ScriptRequest, ScriptAnswer> answer(size_t extender, const std::string& verb,
                                                const std::string& body) const;

 private:
  ScriptRequest recorded(size_t extender, const std::string& verb, document::Value request) const;
  std::string filter(document::Value script, document::Value request) const;
  std::string preempt(document::Value script, document::Value request) const;
  std::string pod_of_uid(std::string_view uid) const;

  document::Value root_;
  std::map<std::string, document::Value, std::less<>> nodes_;    // by name
  std::map<std::string, std::string, std::less<>> uid_by_pod_;   // by namespace/name
  std::map<std::string, std::string, std::less<>> pods_by_uid_;  // namespace/name
};

}  // namespace berth::conformance
