#include "engine/document/yaml/yaml_events.h"

#include <algorithm>
#include <new>
#include <string>

namespace berth::document::internal {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

bool continues_character(char c) { return (c & 0xc0) == 0x80; }

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

}  // namespace

YamlEvents::YamlEvents(const Storage& storage, uint32_t begin, uint32_t end)
    : storage_(storage),
      begin_(begin),
      end_(end),
      ascii_(is_ascii(storage.text.substr(begin, end - begin))),
      cursor_offset_(begin) {
  if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
  yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
  auto text = reinterpret_cast<const unsigned char*>(storage.text.data() + begin);
  yaml_parser_set_input_string(&parser_, text, end - begin);
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&event_);
  yaml_parser_delete(&parser_);
}

// libyaml gives positions in characters; this returns the offset in bytes. In ASCII text they are
// equal. Otherwise the function walks from the position of its last call, forwards or backwards;
// consecutive positions are close to each other, so the walk is short.
uint32_t YamlEvents::offset_of(size_t character) {
  if (ascii_) return std::min(begin_ + uint32_t(character), end_);
  const char* text = storage_.text.data();
  while (cursor_character_ < character && cursor_offset_ < end_) {
    do {
      ++cursor_offset_;
    } while (cursor_offset_ < end_ && continues_character(text[cursor_offset_]));
    ++cursor_character_;
  }
  while (cursor_character_ > character) {
    do {
      --cursor_offset_;
    } while (cursor_offset_ > begin_ && continues_character(text[cursor_offset_]));
    --cursor_character_;
  }
  return cursor_offset_;
}

void YamlEvents::fail() {
  if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
  if (parser_.error == YAML_READER_ERROR) {
    throw Malformed{begin_ + uint32_t(parser_.problem_offset), parser_.problem};
  }
  std::string message = parser_.problem == nullptr ? "not YAML" : parser_.problem;
  if (parser_.context != nullptr) message = std::string(parser_.context) + ": " + message;
  throw Malformed{offset_of(parser_.problem_mark.index), message};
}

void YamlEvents::parse() {
  yaml_event_delete(&event_);
  if (yaml_parser_parse(&parser_, &event_) == 0) fail();
}

std::optional<YamlEvent> YamlEvents::next() {
  for (;;) {
    parse();
    switch (event_.type) {
      case YAML_NO_EVENT:
      case YAML_STREAM_END_EVENT:
        return std::nullopt;
      case YAML_DOCUMENT_START_EVENT:
        if (++documents_ > 1) {
          throw Malformed{offset_of(event_.start_mark.index), "expected the end of the document"};
        }
        break;
      case YAML_STREAM_START_EVENT:
      case YAML_DOCUMENT_END_EVENT:
        break;
      default:
        return translate();
    }
  }
}

YamlEvent YamlEvents::translate() {
  YamlEvent event;
  event.offset = offset_of(event_.start_mark.index);
  if (event_.type == YAML_SCALAR_EVENT) {
    const auto& scalar = event_.data.scalar;
    event.type = YamlEvent::Type::kScalar;
    event.plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
    event.text = {reinterpret_cast<const char*>(scalar.value), scalar.length};
    event.tag = view(scalar.tag);
    event.anchor = view(scalar.anchor);
  } else if (event_.type == YAML_ALIAS_EVENT) {
    event.type = YamlEvent::Type::kAlias;
    event.anchor = view(event_.data.alias.anchor);
  } else if (event_.type == YAML_SEQUENCE_START_EVENT) {
    event.type = YamlEvent::Type::kArray;
    event.anchor = view(event_.data.sequence_start.anchor);
  } else if (event_.type == YAML_MAPPING_START_EVENT) {
    event.type = YamlEvent::Type::kObject;
    event.anchor = view(event_.data.mapping_start.anchor);
  }
  return event;
}

}  // namespace berth::document::internal
