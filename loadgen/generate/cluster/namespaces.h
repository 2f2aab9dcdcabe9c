#pragma once

// The namespaces of a workload: their numbers, their names, and their labels as they are now.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

// Those of an entry of `namespaces` have consecutive numbers, in the order of the entries. One
// thread.
class Namespaces {
 public:
  explicit Namespaces(const std::vector<NamespaceSpec>& entries);  // must outlive this

  size_t count() const { return names_.size(); }
  // Valid as long as this.
  const std::string& name(uint64_t number) const { return names_[number]; }
  // The number of the namespace of an entry that 64 random bits select.
  uint32_t choose(uint32_t entry, uint64_t bits) const;
  // The number of the namespace of an entry's user `index`. Users take namespaces in turn, so that
  // these have about equal size.
  uint32_t in_turn(uint32_t entry, uint64_t index) const;

  model::Namespace now(uint64_t number) const;
  void set_label(uint64_t number, const std::string& key, const std::string& value);

  // A namespace that no entry of the workload has.
  static model::Namespace other(const std::string& name);

 private:
  const std::vector<NamespaceSpec>& entries_;
  std::vector<std::string> names_;  // by number
  std::vector<uint32_t> first_;     // the number of each entry's first namespace
  boost::unordered_flat_map<uint64_t, model::StringMap> labels_;  // changes to original labels
};

}  // namespace berth::loadgen
