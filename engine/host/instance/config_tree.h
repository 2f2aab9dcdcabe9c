#pragma once

// A plugin's arguments as berth_config shows them (berth/abi/config.h): nodes with numbers over a
// document. Knows the path of every node, what the plugin asked for, and collects what is wrong.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/config.h"
#include "engine/base/error.h"
#include "engine/document/document.h"

namespace berth::host {

// The arguments of one plugin in one profile. Absent and null are the empty object.
struct Arguments {
  document::Value value;  // its document outlives the use
  Place place;            // with the path of the arguments: profiles[0].pluginConfig[1].args
};

// One reading of some arguments. One thread. Stays where it is: plugins hold its address during the
// call.
class ConfigTree {
 public:
  explicit ConfigTree(Arguments arguments);
  ~ConfigTree();
  ConfigTree(const ConfigTree&) = delete;
  ConfigTree& operator=(const ConfigTree&) = delete;

  // What a plugin gets.
  const berth_config* config() const { return &config_; }

  // For services that read a part of the tree themselves. All but has() require: has(node).
  bool has(uint32_t node) const { return node < nodes_.size(); }
  document::Value value(uint32_t node) const;  // absent: the root of arguments that are not set
  Place place(uint32_t node, std::string_view below = {}) const;  // file, line, column and path
  void report(uint32_t node, std::string_view below, std::string_view text);
  // The same of a value below the node whose path from there is `below`.
  void report_at(uint32_t node, std::string_view below, document::Value value,
                 std::string_view text);
  // A member, by its path below the node and the value of its key, that nobody knows.
  void report_unknown(uint32_t node, std::string_view below, document::Value key);
  void accept(uint32_t node);  // whatever stands below is known

  // What was reported, in its order.
  const std::vector<Error>& reported() const { return reported_; }
  // The same and every member of an object that the reader came to and did not ask for, in the
  // order of the text. For a reader that reads all it knows, as `validate` does.
  std::vector<Error> errors() const;

  // The tree behind a plugin's pointer; null if it is none of ours.
  static ConfigTree* of(const berth_config* config);

 private:
  struct Node;

  uint32_t add(document::Value value, std::string path);
  uint32_t element(uint32_t node, uint32_t i);
  uint32_t member(uint32_t node, std::string_view name);

  // The functions of berth_config.
  struct Functions;

  berth_config config_;
  Place place_;
  std::vector<std::unique_ptr<Node>> nodes_;  // by number
  std::vector<Error> reported_;
};

}  // namespace berth::host
