#pragma once

// Reads the items of a list one by one, without the text or a tree of the whole file.
//
// A dump of a cluster is one object with an array "items" of a hundred thousand objects, in JSON
// or YAML as kubectl prints it. Only the text of a window and the tree of one item are in memory,
// so memory does not grow with the file, and the tree of an item stays in the processor's cache.
// Places and field paths are those in the file.
//
// This reads well-formed lists. For anything else it says so, and the caller parses the whole file
// (Document), whose errors and recovery are then those of all other files.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/io/io.h"
#include "engine/document/document.h"
#include "engine/document/items/item_window.h"

namespace berth::document {

// One thread.
class ListItems {
 public:
  enum class Next : uint8_t {
    kItem,  // item() is the next one, an object
    kEnd,   // the list and the file have ended; list() is the list
    kOther  // the file is something else from here on, or altogether. The items so far are good
  };

  // Of the syntax that the first character tells. The source must outlive the result. `file`: the
  // name that errors say. Of the limits, those of depth and aliases count.
  static std::unique_ptr<ListItems> of(ByteSource& source, std::string file,
                                       const Limits& limits = {});

  virtual ~ListItems();
  ListItems(const ListItems&) = delete;
  ListItems& operator=(const ListItems&) = delete;

  // Must not be called again after kEnd or kOther. Throws Error if reading fails.
  virtual Next next() = 0;

  // Valid until next() is called.
  Value item() const;
  // The list with all its members, but "items" is empty. Its places are of no use. Requires that
  // next() returned kEnd.
  Value list() const { return list_.roots().front(); }

 protected:
  static constexpr uint32_t kDepth = 2;  // of an item, below the list and its array
  static constexpr size_t kLongestItem = 64 * 1024 * 1024;

  ListItems(internal::ItemWindow window, std::string file, const Limits& limits);

  // Makes the storage of the next item, whose text begins with the window's rest.
  internal::Storage& begin_item(std::string_view text);
  // The item is the root of the storage, and `bytes` of the rest are behind.
  Next end_item(size_t bytes);
  // Reads the members behind the items. `head`: the text before them, up to an empty array.
  Next finish(std::string head);

  internal::ItemWindow window_;
  const Limits limits_;
  uint64_t count_ = 0;  // items so far

 private:
  const std::string file_;
  std::unique_ptr<internal::Storage> storage_;
  Document list_;
};

}  // namespace berth::document
