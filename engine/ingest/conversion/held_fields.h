#pragma once

// The fields of objects that streams hold (model/objects/objects.h), as a tree of names. Internal
// to this folder.

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::ingest {

class HeldFields {
 public:
  static constexpr uint16_t kNone = 0;

  // The tree is built on first use and immutable. Thread-safe.
  static const HeldFields& get();

  // The node of a kind; kNone if streams do not hold the kind.
  uint16_t kind(std::string_view name) const { return child(0, name); }
  // The node of a field; kNone if it is not held.
  uint16_t child(uint16_t node, std::string_view name) const;
  // True if everything below the field is held.
  bool whole(uint16_t node) const { return nodes_[node].whole; }
  // True if only admission reads the field.
  bool of_admission(uint16_t node) const { return nodes_[node].of_admission; }

 private:
  HeldFields();
  void parse(std::string_view& text, uint16_t parent);

  struct Node {
    std::string_view name;
    uint16_t first_child = 0, next = 0;  // 0: none
    bool whole = false, of_admission = false;
  };
  static constexpr size_t kMost = 2048;
  Node nodes_[kMost];
  uint16_t size_ = 1;  // the first node is the root
};

}  // namespace berth::ingest
