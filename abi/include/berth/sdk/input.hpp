#pragma once

// What a hook declares that it reads. Members of the hook's class, each a column id with its
// element type:
//
//   sdk::Input<int64_t> pods{*this, "node.pods"};
//   sdk::ListInput<uint64_t> ports{*this, "node.ports"};
//   sdk::Family labels{*this, "node.label:*"};  // members are added by Preparation::add
//
// The order of declaration is the order of the columns that a call gets, unless `prepare` narrows
// them.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "berth/sdk/column.hpp"

namespace berth::sdk {

// The ids that one hook declares. Addresses of the texts stay what they are.
class Declaration {
 public:
  uint32_t declare(std::string_view id) {
    ids_.emplace_back(id);
    return static_cast<uint32_t>(ids_.size() - 1);
  }
  const std::deque<std::string>& ids() const { return ids_; }

 private:
  std::deque<std::string> ids_;
};

// A flat column of the declaration.
template <Element T>
class Input {
 public:
  Input(Declaration& declaration, std::string_view id) : index_(declaration.declare(id)) {}
  uint32_t index() const { return index_; }

 private:
  uint32_t index_;
};

// A list column of the declaration.
template <Element T>
class ListInput {
 public:
  ListInput(Declaration& declaration, std::string_view id) : index_(declaration.declare(id)) {}
  uint32_t index() const { return index_; }

 private:
  uint32_t index_;
};

// A family of columns ("node.allocatable:*"), or a column that is only handed on by name.
class Family {
 public:
  Family(Declaration& declaration, std::string_view id) : index_(declaration.declare(id)) {}
  uint32_t index() const { return index_; }

 private:
  uint32_t index_;
};

// A column that `prepare` added, by its place in the call. Kept in the template's state.
template <Element T>
struct Slot {
  uint32_t index = 0;
};

}  // namespace berth::sdk
