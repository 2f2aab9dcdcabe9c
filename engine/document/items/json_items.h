#pragma once

// The items of a list in JSON. Internal to this module.

#include <string>
#include <utility>

#include "engine/document/items/list_items.h"

namespace berth::document::internal {

class JsonItems : public ListItems {
 public:
  JsonItems(ItemWindow window, std::string file, const Limits& limits)
      : ListItems(std::move(window), std::move(file), limits) {}

  Next next() override;

 private:
  bool begin();
  Next read_item();
  char peek();

  bool begun_ = false;  // the items have
  std::string head_;    // the list's text before the key "items"
};

}  // namespace berth::document::internal
