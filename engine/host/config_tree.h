#pragma once

// A plugin's arguments as berth_config shows them (berth/abi/config.h): nodes with numbers over a
// document. Knows the path of every node, what the plugin asked for, and collects what is wrong.

#include <cstdint>
#include <memory>
#include <set>
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
  ConfigTree(const ConfigTree&) = delete;
  ConfigTree& operator=(const ConfigTree&) = delete;

  // What a plugin gets.
  const berth_config* config() const { return &config_; }

  // For services that read a part of the tree themselves. Absent for the root of empty arguments.
  document::Value value(uint32_t node) const;
  Place place(uint32_t node) const;  // file, line, column and path
  void report(uint32_t node, std::string_view below, std::string_view text);
  void accept(uint32_t node);  // whatever stands below is known

  // What was reported, and every member of a visited object that nobody asked for (`unknown field
  // "profiles[0].pluginConfig[1].args.x"`), in the order of the text.
  std::vector<Error> errors() const;

 private:
  struct Node;

  uint32_t add(document::Value value, std::string path);
  const Node* find(uint32_t node) const;
  uint32_t element(uint32_t node, uint32_t i);
  uint32_t member(uint32_t node, std::string_view name);
  void collect_unknown(const Node& node, std::vector<Error>& errors) const;

  static ConfigTree& of(const berth_config* config);

  berth_config config_;
  Place place_;
  std::vector<std::unique_ptr<Node>> nodes_;  // by number
  std::vector<Error> reported_;
};

}  // namespace berth::host
