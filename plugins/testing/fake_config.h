#pragma once

// A plugin's arguments from JSON text, in the form of the host's berth_config.

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/config.h"
#include "engine/document/document.h"

namespace berth::plugins::testing {

class FakeConfig {
 public:
  explicit FakeConfig(std::string_view json = "{}");
  FakeConfig(const FakeConfig&) = delete;
  FakeConfig& operator=(const FakeConfig&) = delete;

  const berth_config* raw() const { return &config_; }

  // The errors that the plugin reported, each as "path: text".
  const std::vector<std::string>& errors() const { return errors_; }
  // Paths of the members of visited objects that the plugin did not ask for.
  std::vector<std::string> unknown() const;

 private:
  struct Node {
    document::Value value;
    std::set<std::string, std::less<>> asked;
    bool visited = false;  // the plugin asked for a member
    bool accepted = false;
  };

  static FakeConfig& of(const berth_config* config) {
    return *static_cast<FakeConfig*>(config->context);
  }
  static document::Value at(const berth_config* config, uint32_t node) {
    return of(config).nodes_.at(node).value;
  }
  void offer_values();
  uint32_t add(document::Value value);
  uint32_t member(uint32_t node, std::string_view name);

  berth_config config_{};
  document::Document document_;
  std::deque<Node> nodes_;
  std::vector<std::string> errors_;
};

}  // namespace berth::plugins::testing
