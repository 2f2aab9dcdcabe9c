#pragma once

// Topology domains: for each label key the values that nodes have, as dense codes. Code 0 is "no
// such label"; codes stay.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "engine/model/storage/strings.h"

namespace berth::model {

using DomainCode = uint32_t;

class Domains {
 public:
  // Made if new. `value` is not 0.
  DomainCode code(StringId key, StringId value);
  // How many codes a key has, 0 included.
  DomainCode size(StringId key) const;

 private:
  boost::unordered_flat_map<uint64_t, DomainCode> codes_;  // by key and value
  boost::unordered_flat_map<StringId, DomainCode> sizes_;
};

}  // namespace berth::model
