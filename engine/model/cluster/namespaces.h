#pragma once

// The namespaces that exist, and their labels.

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/model/selectors/label_selectors.h"

namespace berth::model {

// Retains the strings of names and labels. One thread modifies the table; others may read while
// nothing is modified.
class Namespaces {
 public:
  explicit Namespaces(Strings& strings) : strings_(strings) {}

  // Add or replace a namespace, or remove it. Return true if that changed anything.
  bool put(StringId name, Labels labels);
  bool remove(StringId name);

  bool exists(StringId name) const { return labels_.contains(name); }
  // The labels of a namespace; empty if it does not exist. Valid until the table is modified.
  const Labels& labels(StringId name) const;
  uint64_t size() const { return labels_.size(); }

 private:
  Strings& strings_;
  boost::unordered_flat_map<StringId, Labels> labels_;
};

}  // namespace berth::model
