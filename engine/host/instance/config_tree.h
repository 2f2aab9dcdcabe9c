#pragma once

// A plugin's arguments in the form of berth_config (berth/abi/config.h): numbered nodes over a
// document. The tree knows the path of every node, records the members that the plugin asks for,
// and collects errors.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/config.h"
#include "engine/base/error.h"
#include "engine/base/rules/rules.h"
#include "engine/document/document.h"

namespace berth::host {

// The arguments of one plugin in one profile. Absent and null mean the empty object.
struct Arguments {
  document::Value value;  // its document must outlive the tree
  Place place;            // with the path of the arguments: profiles[0].pluginConfig[1].args
  Rules rules{};          // by which the plugin checks them
};

// One reading of arguments. Not thread-safe. Must not be moved: plugins hold its address during a
// call.
class ConfigTree {
 public:
  explicit ConfigTree(Arguments arguments);
  ~ConfigTree();
  ConfigTree(const ConfigTree&) = delete;
  ConfigTree& operator=(const ConfigTree&) = delete;

  // The pointer to pass to a plugin.
  const berth_config* config() const { return &config_; }

  // For services that read a part of the tree themselves. All functions but has() require
  // has(node).
  bool has(uint32_t node) const { return node < nodes_.size(); }
  document::Value value(uint32_t node) const;  // absent for the root of absent arguments
  Place place(uint32_t node, std::string_view below = {}) const;  // file, line, column and path
  // Reports an error of a node, or of the member at the path `below` under it.
  void report(uint32_t node, std::string_view below, std::string_view text);
  // Reports an error of `value`, which is at the path `below` under the node.
  void report_at(uint32_t node, std::string_view below, document::Value value,
                 std::string_view text);
  // Reports a member that no reader knows, given by the value of its key and its path under the
  // node.
  void report_unknown(uint32_t node, std::string_view below, document::Value key);
  // Marks all members below the node as known, because a service has read and checked them.
  void accept(uint32_t node);

  // The reported errors in order.
  const std::vector<Error>& reported() const { return reported_; }
  // The reported errors and an error for each member of a visited object that was not asked for, in
  // text order. Meaningful after a reader that asks for all members it knows, such as `validate`.
  std::vector<Error> errors() const;
  // Paths of those members.
  std::vector<std::string> not_asked_for() const;

  // The tree behind a plugin's pointer; null if the pointer does not belong to a tree.
  static ConfigTree* of(const berth_config* config);

 private:
  struct Node;

  Node& at(uint32_t node) const;  // the same requirement
  uint32_t add(document::Value value, std::string path);
  uint32_t element(uint32_t node, uint32_t i);
  uint32_t member(uint32_t node, std::string_view name);
  // Calls visit(path, key) for each member of a visited object that was not asked for.
  template <typename Visit>
  void for_each_unknown(Visit&& visit) const;

  // The functions in berth_config.
  struct Functions;

  berth_config config_;
  Place place_;
  Rules rules_;
  std::vector<std::unique_ptr<Node>> nodes_;  // by number
  std::vector<Error> reported_;
};

}  // namespace berth::host
