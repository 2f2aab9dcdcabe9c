#pragma once

// Topology domains: dense codes for the values that nodes have for each label key. Code 0 means
// that a node lacks the label. A value keeps its code until `collect` finds it unused.
//
// Collected by a look at the nodes rather than counted: a code is used where a column of domains
// shows it, and columns are written by row, permuted and dropped, without a word to this table.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "engine/model/columns/strings.h"

namespace berth::model {

using DomainCode = uint32_t;

// One thread adds codes; others may call size() while nothing is added.
class Domains {
 public:
  explicit Domains(Strings& strings) : strings_(strings) {}

  // The code of a value, new or known; retains key and value. Requires: value != 0.
  DomainCode code(StringId key, StringId value);
  // One above the highest code of a key.
  DomainCode size(StringId key) const;

  // Retires the codes of which used(key, code) is false; they are used again. Precondition: nothing
  // keeps counts by code.
  template <typename Used>
  void collect(Used&& used) {
    boost::unordered::erase_if(keys_, [&](auto& entry) {
      const StringId key = entry.first;
      Codes& codes = entry.second;
      boost::unordered::erase_if(codes.of, [&](const auto& one) {
        if (used(key, one.second)) return false;
        strings_.release(one.first);
        codes.free.push_back(one.second);
        return true;
      });
      if (!codes.of.empty()) return false;
      if (key != 0) strings_.release(key);
      return true;
    });
  }

 private:
  struct Codes {
    boost::unordered_flat_map<StringId, DomainCode> of;  // by value
    std::vector<DomainCode> free;
    DomainCode end = 1;
  };

  Strings& strings_;
  boost::unordered_flat_map<StringId, Codes> keys_;
};

}  // namespace berth::model
