#pragma once

// The objects of one kind, in the namespace default, at an API server that a test plays, with their
// history: what the server answers to lists and watches. Selectors are not heeded.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kube/http/http.h"

namespace berth::kube {

class FakeObjects {
 public:
  // Adds or modifies an object. `labels`, `rest`: members of its labels, and its own but metadata,
  // as JSON without braces. With another UID, the former object is deleted first.
  void put(const std::string& name, const std::string& uid, const std::string& labels,
           const std::string& rest);
  // Precondition: it is there.
  void remove(const std::string& name);
  // Other objects of the server change, so its version moves on.
  void pass() { ++version_; }
  // Forgets the history: versions before the current one are expired.
  void compact() { oldest_ = version_; }

  std::string version() const { return text_of(version_); }
  // "UID" of each object that is there, by name.
  const std::map<std::string, std::string>& uids() const { return uids_; }

  // Of a list, with limit and continue: a page, or 410.
  Answer page(std::string_view path) const;
  // Of a watch: its events after this version so far, each on a line, or an ERROR event if that is
  // expired. `version` becomes the last one's.
  std::string events_after(std::string& version) const;
  // Of a watch with sendInitialEvents: all objects, and the bookmark that ends them.
  std::string initial_events() const;
  std::string bookmark() const;

  static std::string expired_status();  // a Status

 private:
  struct Event {
    uint64_t version = 0;
    const char* type = "";
    std::string name, json;
  };
  // As texts that do not compare as numbers do.
  static std::string text_of(uint64_t version) { return "v" + std::to_string(version); }
  static uint64_t number_of(const std::string& text) { return std::stoull(text.substr(1)); }
  void log(const char* type, const std::string& name, const std::string& uid,
           const std::string& labels, const std::string& rest);
  std::map<std::string, std::string> objects_at(uint64_t version) const;  // JSON, by name

  uint64_t version_ = 1, oldest_ = 1;
  std::vector<Event> history_;
  std::map<std::string, std::string> uids_;
};

}  // namespace berth::kube
