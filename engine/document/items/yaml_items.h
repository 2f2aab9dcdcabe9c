#pragma once

// The items of a list in YAML, in block style. Internal to this module.
//
// An item begins at a line `- ...` and ends before the next line that is not indented beyond that
// dash. With a blank instead of the dash its lines are a YAML document of their own, with the same
// places. Where that is another reading than that of the whole file, the item's text is malformed:
// a quoted text or a bracket that goes on at the next dash is not closed, an alias of an anchor in
// another item is unknown. The caller then parses the whole file.

#include <string>
#include <utility>

#include "engine/document/items/list_items.h"
#include "engine/document/yaml/yaml.h"

namespace berth::document::internal {

class YamlItems : public ListItems {
 public:
  YamlItems(ItemWindow window, std::string file, const Limits& limits)
      : ListItems(std::move(window), std::move(file), limits) {}

  Next next() override;

 private:
  bool begin();
  // True if the rest begins with an item's line.
  bool at_item() const;
  // The next line behind the one at `line` that has content, indented by at most `column` bytes;
  // the end of the rest if none follows in the file; SIZE_MAX if it is not clear, or too far.
  size_t content_behind(size_t line, size_t column);
  Next read_item();

  bool begun_ = false;  // the items have
  std::string head_;    // the list's text before the first item
  size_t column_ = 0;   // bytes before the dash of each item
  AliasBudget aliases_;
};

}  // namespace berth::document::internal
