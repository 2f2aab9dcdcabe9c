#pragma once

// JSON out, with the few shapes that the commands need.

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>
#include <string_view>

namespace berth::output {

// Keys and strings as string views over either of RapidJSON's writers.
template <typename Base>
class JsonWriterOn : public Base {
 public:
  explicit JsonWriterOn(rapidjson::StringBuffer& buffer) : Base(buffer) {}

  void key(std::string_view name) {
    this->Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
  }
  void text(std::string_view value) {
    this->String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
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
  void member(std::string_view name, uint32_t value) { member(name, uint64_t{value}); }
  void member(std::string_view name, double value) {
    key(name);
    this->Double(value);
  }
  template <typename Texts>
  void texts(std::string_view name, const Texts& values) {
    key(name);
    this->StartArray();
    for (const auto& value : values) text(value);
    this->EndArray();
  }
};

using JsonWriter = JsonWriterOn<rapidjson::Writer<rapidjson::StringBuffer>>;
using PrettyJsonWriter = JsonWriterOn<rapidjson::PrettyWriter<rapidjson::StringBuffer>>;

}  // namespace berth::output
