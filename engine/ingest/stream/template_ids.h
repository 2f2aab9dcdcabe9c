#pragma once

// The ids that the sender of a stream gives to templates. Templates with equal identities share
// one.
//
// A stream without an end brings ever new templates. What they are used by is not known here, as
// pods are not tracked, so templates age instead of being counted.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace berth::ingest {

// One thread.
class TemplateIds {
 public:
  static constexpr size_t kKept = 4096;  // below that, retiring is not due

  struct Id {
    uint32_t id = 0;
    bool fresh = false;  // the receiver does not have the template yet
  };
  // The id is valid until retire() returns it. Throws Error if there are 2^20 templates.
  Id id_of(std::string identity);

  bool due() const { return ids_.size() >= retire_at_; }
  // Retires the templates that no call of id_of() asked for since the last call of this. Returns
  // their ids, which later templates are given.
  std::vector<uint32_t> retire();

  size_t size() const { return ids_.size(); }

 private:
  struct Template {
    uint32_t id = 0;
    bool used = false;  // since templates were retired
    bool old = false;   // was there when they were
  };
  boost::unordered_flat_map<std::string, Template> ids_;
  std::vector<uint32_t> free_;  // the last is given out next
  size_t retire_at_ = kKept;
};

}  // namespace berth::ingest
