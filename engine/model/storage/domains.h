#pragma once

// Topology domains: dense codes for the values that nodes have for each label key. Code 0 means
// that a node lacks the label. Codes never change.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "engine/model/storage/strings.h"

namespace berth::model {

using DomainCode = uint32_t;

// One thread adds codes; others may call size() while nothing is added.
class Domains {
 public:
  // The code of a value, new or known. Requires: value != 0.
  DomainCode code(StringId key, StringId value);
  // The number of codes of a key, including 0.
  DomainCode size(StringId key) const;

 private:
  boost::unordered_flat_map<uint64_t, DomainCode> codes_;  // by key and value
  boost::unordered_flat_map<StringId, DomainCode> sizes_;
};

}  // namespace berth::model
