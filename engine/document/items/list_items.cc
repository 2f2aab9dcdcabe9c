#include "engine/document/items/list_items.h"

#include <utility>
#include <vector>

#include "engine/document/items/json_items.h"
#include "engine/document/items/yaml_items.h"
#include "engine/document/storage.h"

namespace berth::document {
namespace {

constexpr size_t kLongestTail = 1024 * 1024;  // of the list's members behind the items

}  // namespace

std::unique_ptr<ListItems> ListItems::of(ByteSource& source, std::string file,
                                         const Limits& limits) {
  internal::ItemWindow window(source);
  window.fill();
  const std::string_view text = window.rest();
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] == '{')
    return std::make_unique<internal::JsonItems>(std::move(window), std::move(file), limits);
  return std::make_unique<internal::YamlItems>(std::move(window), std::move(file), limits);
}

ListItems::ListItems(internal::ItemWindow window, std::string file, const Limits& limits)
    : window_(std::move(window)),
      limits_({.depth = limits.depth, .alias_values = limits.alias_values}),
      file_(std::move(file)) {}

ListItems::~ListItems() = default;

Value ListItems::item() const { return storage_->roots.front(); }

internal::Storage& ListItems::begin_item(std::string_view text) {
  std::vector<internal::Cell> cells;  // whose memory is used again
  if (storage_) cells.swap(storage_->cells);
  cells.clear();
  const Position at = window_.position();
  storage_ = std::make_unique<internal::Storage>(
      text, file_,
      internal::Origin{at.line - 1, at.column - 1, "items[" + std::to_string(count_) + "]"});
  storage_->cells.swap(cells);
  return *storage_;
}

ListItems::Next ListItems::end_item(size_t bytes) {
  internal::Builder(*storage_, limits_).finish({0});
  window_.advance(bytes);
  ++count_;
  return Next::kItem;
}

ListItems::Next ListItems::finish(std::string head) {
  while (window_.rest().size() <= kLongestTail && window_.fill()) {
  }
  if (window_.rest().size() > kLongestTail) return Next::kOther;
  Diagnostics diagnostics;
  list_ = Document::parse(head.append(window_.rest()), file_, diagnostics);
  if (diagnostics.count() != 0 || list_.roots().size() != 1 || !list().is(Kind::kObject))
    return Next::kOther;
  uint64_t items = 0;
  for (const Member member : list().members()) items += member.key == "items" ? 1 : 0;
  return items == 1 ? Next::kEnd : Next::kOther;
}

}  // namespace berth::document
