#pragma once

// The parts of lists and watches: pages and events, as an API server sends them in JSON. Values
// and views are valid as long as the page or the event.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/document/document.h"

namespace berth::kube {

struct ListPage {
  document::Document document;
  document::Value items;              // an array; null or absent: there are none
  std::string_view resource_version;  // not empty
  std::string_view continue_token;    // empty: the last page
};

// Nothing if the text is no list; then `fault` says why.
std::optional<ListPage> read_list_page(std::string_view body, std::string& fault);

struct WatchEvent {
  enum class Type : uint8_t { kAdded, kModified, kDeleted, kBookmark, kError };

  document::Document document;
  Type type = Type::kAdded;
  document::Value object;

  // Empty: the object has none.
  std::string_view resource_version() const;
  // A bookmark that says: all objects that were there at the beginning have been sent.
  bool ends_initial_events() const;
};

// Nothing if the line is no event; then `fault` says why.
std::optional<WatchEvent> read_watch_event(std::string_view line, std::string& fault);

}  // namespace berth::kube
