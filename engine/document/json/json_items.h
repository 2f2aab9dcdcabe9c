#pragma once

// Reads the items of a list in JSON one by one, without the text or a tree of the whole file.
//
// A dump of a cluster is one object with an array "items" of a hundred thousand objects. Only the
// text of a window and the tree of one item are in memory, so memory does not grow with the file,
// and the tree of an item stays in the processor's cache. Places and field paths are those in the
// file.
//
// This reads well-formed lists. For anything else it says so, and the caller parses the whole file
// (Document), whose errors and recovery are then those of all other files.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/io/io.h"
#include "engine/document/document.h"

namespace berth::document {

// One thread.
class JsonItems {
 public:
  enum class Next : uint8_t {
    kItem,  // item() is the next one, an object
    kEnd,   // the list and the file have ended; list() is the list
    kOther  // the file is something else from here on, or altogether. The items so far are good
  };

  // The source must outlive this object. `file`: the name that errors say.
  JsonItems(ByteSource& source, std::string file);
  ~JsonItems();
  JsonItems(const JsonItems&) = delete;
  JsonItems& operator=(const JsonItems&) = delete;

  // Must not be called again after kEnd or kOther. Throws Error if reading fails.
  Next next();

  // Valid until next() is called.
  Value item() const;
  // The list with all its members, but "items" is empty. Its places are of no use. Requires that
  // next() returned kEnd.
  Value list() const { return list_.roots().front(); }

 private:
  bool begin();
  Next read_item();
  Next finish();
  char peek();
  bool fill();
  void advance(size_t bytes);

  std::string_view rest() const { return {window_.data() + at_, end_ - at_}; }

  ByteSource& source_;
  const std::string file_;
  std::vector<char> window_;    // zero bytes follow the text, as parsers need
  size_t at_ = 0, end_ = 0;     // of the text in the window that is not read yet
  bool ended_ = false;          // the source has
  bool begun_ = false;          // the items have
  uint64_t count_ = 0;          // items so far
  Position position_ = {1, 1};  // of at_
  std::string head_;            // the list's text before the key "items"
  std::unique_ptr<internal::Storage> storage_;
  Document list_;
};

}  // namespace berth::document
