#pragma once

// libyaml's events of one document, with offsets in bytes and errors as Malformed. Internal to this
// module.

#include <yaml.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/document/storage.h"

namespace berth::document::internal {

// The texts are valid until the next event is asked for.
struct YamlEvent {
  enum class Type : uint8_t { kScalar, kAlias, kArray, kObject, kClose };

  Type type = Type::kClose;
  bool plain = false;       // a scalar without quotes and not in a block
  uint32_t offset = 0;      // of its first character in the text of the storage
  std::string_view text;    // of a scalar
  std::string_view tag;     // as resolved; empty if there is none
  std::string_view anchor;  // that it has, or that an alias names
};

class YamlEvents {
 public:
  // The text between `begin` and `end`, which must hold one document at most.
  YamlEvents(const Storage& storage, uint32_t begin, uint32_t end);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  // Nothing at the end of the document. Throws Malformed, also if another document follows.
  std::optional<YamlEvent> next();

 private:
  void parse();
  YamlEvent translate();
  [[noreturn]] void fail();
  uint32_t offset_of(size_t character);

  const Storage& storage_;
  const uint32_t begin_;
  const uint32_t end_;
  bool ascii_;
  size_t cursor_character_ = 0;  // where offset_of() last was
  uint32_t cursor_offset_;
  uint32_t documents_ = 0;
  yaml_parser_t parser_;
  yaml_event_t event_{};
};

}  // namespace berth::document::internal
