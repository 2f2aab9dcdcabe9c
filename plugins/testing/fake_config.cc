#include "plugins/testing/fake_config.h"

#include <stdexcept>

namespace berth::plugins::testing {

FakeConfig::FakeConfig(std::string_view json, const Rules& rules) {
  Diagnostics diagnostics;
  document_ = document::Document::parse(json, "arguments", diagnostics);
  if (diagnostics.count() != 0 || document_.roots().size() != 1)
    throw std::invalid_argument("the test's arguments are not JSON");
  tree_.emplace(
      host::Arguments{document_.roots()[0], Place{.file = "arguments", .field = {}}, rules});
}

std::vector<std::string> FakeConfig::errors() const {
  std::vector<std::string> texts;
  for (const Error& error : tree_->reported()) {
    std::string_view path = error.place().field;
    if (path.starts_with('.')) path.remove_prefix(1);  // below the root
    texts.push_back(std::string(path) + ": " + error.message());
  }
  return texts;
}

std::vector<std::string> FakeConfig::unknown() const { return tree_->not_asked_for(); }

}  // namespace berth::plugins::testing
