#pragma once

// A plugin's arguments from JSON text, as the host gives them (host/instance/config_tree.h).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/config.h"
#include "engine/base/rules/rules.h"
#include "engine/document/document.h"
#include "engine/host/instance/config_tree.h"

namespace berth::plugins::testing {

class FakeConfig {
 public:
  explicit FakeConfig(std::string_view json = "{}", const Rules& rules = Rules());
  FakeConfig(const FakeConfig&) = delete;
  FakeConfig& operator=(const FakeConfig&) = delete;

  const berth_config* raw() const { return tree_->config(); }

  // The errors that the plugin reported, each as "path: text".
  std::vector<std::string> errors() const;
  // Paths of the members of visited objects that the plugin did not ask for.
  std::vector<std::string> unknown() const;

 private:
  document::Document document_;
  std::optional<host::ConfigTree> tree_;
};

}  // namespace berth::plugins::testing
