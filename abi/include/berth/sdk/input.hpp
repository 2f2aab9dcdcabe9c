#pragma once

// Declarations of the columns that a hook reads. They are members of the hook's class; each is a
// column id with an element type:
//
//   sdk::Input<int64_t> pods{*this, "node.pods"};
//   sdk::ListInput<uint64_t> ports{*this, "node.ports"};
//   sdk::Family labels{*this, "node.label:*"};  // members are added by Preparation::add
//
// A call gets the columns in the order of declaration, unless `prepare` narrows them. The host
// refuses a hook that declares a column with another type than it has.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/hook.h"
#include "berth/sdk/column.hpp"

namespace berth::sdk {

// The ids that one hook declares. The addresses of the texts are stable.
class Declaration {
 public:
  // `type`: as in berth_hook.input_types.
  uint32_t declare(std::string_view id, uint32_t type) {
    ids_.emplace_back(id);
    types_.push_back(type);
    return static_cast<uint32_t>(ids_.size() - 1);
  }
  // A column that is declared only in hosts that have it: declare_found() says so.
  struct Optional {
    std::string id;
    uint32_t type;
    uint32_t index = UINT32_MAX;
  };
  const Optional& declare_if_found(std::string_view id, uint32_t type) {
    return optional_.emplace_back(Optional{std::string(id), type});
  }
  template <class Found>
  void declare_found(Found&& found) {
    for (Optional& one : optional_)
      if (found(one.id)) one.index = declare(one.id, one.type);
  }
  const std::deque<std::string>& ids() const { return ids_; }
  const std::vector<uint32_t>& types() const { return types_; }  // in step with ids()

 private:
  std::deque<std::string> ids_;
  std::deque<Optional> optional_;
  std::vector<uint32_t> types_;
};

// A declared flat column.
template <Element T>
class Input {
 public:
  Input(Declaration& declaration, std::string_view id)
      : index_(declaration.declare(id, kElementType<T>)) {}
  uint32_t index() const { return index_; }

 private:
  uint32_t index_;
};

// A flat column that the plugin can do without, such as one that later hosts have. Ask
// `call.has(input)` before it is read: where the host lacks it, reading it throws Failure.
template <Element T>
class OptionalInput {
 public:
  OptionalInput(Declaration& declaration, std::string_view id)
      : declared_(&declaration.declare_if_found(id, kElementType<T>)) {}
  uint32_t index() const { return declared_->index; }
  bool found() const { return index() != UINT32_MAX; }  // false before init

 private:
  const Declaration::Optional* declared_;
};

// A declared list column.
template <Element T>
class ListInput {
 public:
  ListInput(Declaration& declaration, std::string_view id)
      : index_(declaration.declare(id, kElementType<T> | BERTH_LIST_OF)) {}
  uint32_t index() const { return index_; }

 private:
  uint32_t index_;
};

// A declared family of columns ("node.allocatable:*"), or a column that the hook only passes on by
// id.
class Family {
 public:
  Family(Declaration& declaration, std::string_view id) : index_(declaration.declare(id, 0)) {}
  uint32_t index() const { return index_; }

 private:
  uint32_t index_;
};

// A column that `prepare` added: its index in the call. Keep it in the template's state.
template <Element T>
struct Slot {
  uint32_t index = 0;
};

}  // namespace berth::sdk
