#include "engine/config/read/berth_document.h"

#include <optional>
#include <string>

#include "engine/config/read/node.h"

namespace berth::config {
namespace {

// Reports a text at the root that is another one, or missing.
bool expect_text(document::Value root, std::string_view name, std::string_view right,
                 Faults& faults) {
  const Node node{.value = root.find(name), .path = std::string(name)};
  if (!node.set()) {
    faults.add(place_at(root, name), "must be " + quoted(right) + ", but is missing");
    return false;
  }
  const std::optional<std::string> text = Reader(faults).string(node);
  if (text && *text != right)
    faults.add(node.place(), "must be " + quoted(right) + ", not " + quoted(*text));
  return text == right;
}

}  // namespace

bool is_of_berth(document::Value root) {
  return root.find("apiVersion").text().starts_with("berth/");
}

bool expect_type(document::Value root, std::string_view kind, Faults& faults) {
  const bool versioned = expect_text(root, "apiVersion", kBerthApiVersion, faults);
  // The other fields have a meaning only if version and kind are right.
  return expect_text(root, "kind", kind, faults) && versioned;
}

Error second_of_kind(document::Value root, std::string_view kind, uint32_t first) {
  return {root.place(), "is a second document of kind " + std::string(kind) +
                            " beside that of line " + std::to_string(first) +
                            "; write all that they say into one"};
}

}  // namespace berth::config
