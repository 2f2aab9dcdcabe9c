#pragma once

// libyaml's events for one document, with positions as byte offsets and errors as Malformed.
// Internal to this module.
//
// libyaml reports positions as marks that count characters, while places here are byte offsets;
// YamlEvents converts them (offset_of). libyaml's mark of an event with an anchor or a tag may lie
// before its text. libyaml does not stop at the end of a document, so next() checks that no second
// document follows. The texts of an event belong to libyaml and are freed by the next call.

#include <yaml.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/document/storage.h"

namespace berth::document::internal {

// An event. Its texts are valid until the next call of YamlEvents::next().
struct YamlEvent {
  enum class Type : uint8_t { kScalar, kAlias, kArray, kObject, kClose };

  Type type = Type::kClose;
  bool plain = false;       // a scalar without quotes, not a block scalar
  uint32_t offset = 0;      // offset of its first character, which may belong to its anchor or tag
  std::string_view text;    // of a scalar
  std::string_view tag;     // with its prefix expanded; empty: none
  std::string_view anchor;  // defined by the event, or named by an alias
};

class YamlEvents {
 public:
  // Reads the text between `begin` and `end`, which must hold at most one document.
  YamlEvents(const Storage& storage, uint32_t begin, uint32_t end);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  // The next event, or nothing at the end of the document. Throws Malformed, also if another
  // document follows.
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
  size_t cursor_character_ = 0;  // position of the last offset_of()
  uint32_t cursor_offset_;
  uint32_t documents_ = 0;
  yaml_parser_t parser_;
  yaml_event_t event_{};
};

}  // namespace berth::document::internal
