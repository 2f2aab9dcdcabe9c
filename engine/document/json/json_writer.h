#pragma once

// Writes JSON, on top of RapidJSON's writers.

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/document/document.h"

namespace berth::document {

// Either of RapidJSON's writers, with keys and strings as string views. They are written as
// append_json_string() does, so a terminal can show the text and it is always UTF-8.
template <typename Base>
class JsonWriterOn : public Base {
 public:
  explicit JsonWriterOn(rapidjson::StringBuffer& buffer) : Base(buffer) {}

  // These hide those of `Base`, also from rapidjson::Value::Accept().
  bool Key(const char* text, rapidjson::SizeType size, bool /*copy*/ = false) {
    return put({text, size});
  }
  bool String(const char* text, rapidjson::SizeType size, bool /*copy*/ = false) {
    return put({text, size});
  }

  // Write a key, a string, or a member of the current object.
  void key(std::string_view name) { put(name); }
  void text(std::string_view value) { put(value); }
  void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void member(std::string_view name, const char* value) { member(name, std::string_view(value)); }
  void member(std::string_view name, bool value) {
    key(name);
    this->Bool(value);
  }
  void member(std::string_view name, int64_t value) {
    key(name);
    this->Int64(value);
  }
  void member(std::string_view name, uint64_t value) {
    key(name);
    this->Uint64(value);
  }
  void member(std::string_view name, int32_t value) { member(name, int64_t{value}); }
  void member(std::string_view name, uint32_t value) { member(name, uint64_t{value}); }
  void member(std::string_view name, double value) {
    key(name);
    this->Double(value);
  }
  // Write an object or an array. The callable writes its members, or one element.
  template <typename Members>
  void object(Members&& members) {
    this->StartObject();
    members();
    this->EndObject();
  }
  template <typename Members>
  void object(std::string_view name, Members&& members) {
    key(name);
    object(members);
  }
  template <typename List, typename Element>
  void array(std::string_view name, const List& list, Element&& element) {
    key(name);
    this->StartArray();
    for (const auto& value : list) element(value);
    this->EndArray();
  }
  template <typename List, typename Element>
  void array_if(std::string_view name, const List& list, Element&& element) {  // omitted if empty
    if (!list.empty()) array(name, list, element);
  }
  void member_if(std::string_view name, std::string_view value) {  // omitted if empty
    if (!value.empty()) member(name, value);
  }
  template <typename Texts>
  void texts(std::string_view name, const Texts& values) {
    array(name, values, [&](const auto& value) { text(value); });
  }
  template <typename Texts>
  void texts_if(std::string_view name, const Texts& values) {  // omitted if empty
    if (!values.empty()) texts(name, values);
  }

 private:
  bool put(std::string_view text) {
    const bool ascii =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
    if (ascii) return Base::String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    std::string quoted;
    append_json_string(text, quoted);
    return Base::RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
  }
};

using JsonWriter = JsonWriterOn<rapidjson::Writer<rapidjson::StringBuffer>>;
using PrettyJsonWriter = JsonWriterOn<rapidjson::PrettyWriter<rapidjson::StringBuffer>>;

}  // namespace berth::document
