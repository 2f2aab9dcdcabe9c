#pragma once

// Looks through objects that were decoded without a fault for what becomes a remark. Internal to
// this module.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

class Inspector {
 public:
  // The remarks are kept by the caller.
  explicit Inspector(Remarks& remarks);

  // The object that a value was decoded to. `line` is the line of its file that the value's
  // document begins in.
  void inspect(document::Value value, const model::Pod& pod, uint32_t line = 1);
  void inspect(document::Value value, const model::Node& node, uint32_t line = 1);

 private:
  void check_fields(document::Value object, uint16_t type);
  void check_value(document::Value value, const document::Member& member, uint16_t type);
  uint16_t find(uint16_t type, uint16_t previous, std::string_view name);
  void report(const document::Member& member, uint16_t type);

  struct Step {
    std::string_view name;
    bool array = false;
  };

  Remarks& remarks_;
  // By field: the field that followed it last. Objects of one origin have their fields in one
  // order, so that a look at the next field is mostly one comparison.
  std::vector<uint16_t> next_;
  std::vector<Step> path_;
  uint32_t line_ = 1;
};

}  // namespace berth::ingest
