#pragma once

// The namespaces that exist, and their labels.

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

class Namespaces {
 public:
  // Whether that changed anything.
  bool put(StringId name, Labels labels);
  bool remove(StringId name);

  bool exists(StringId name) const { return labels_.contains(name); }
  // Of a namespace that does not exist: none.
  const Labels& labels(StringId name) const;
  uint64_t size() const { return labels_.size(); }

 private:
  boost::unordered_flat_map<StringId, Labels> labels_;
};

}  // namespace berth::model
