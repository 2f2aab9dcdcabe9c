#include "engine/ingest/written/object_writer.h"

#include "engine/document/yaml/write_yaml.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {

void ObjectWriter::note(std::string_view text) {
  note_ = "\"metadata\":{\"annotations\":{\"berth/load\":";
  append_json_text(text, note_);
  note_ += "}},";
}

void ObjectWriter::begin() {
  if (as_ == As::kYaml) {
    if (begun_) text_ += "---\n";
  } else {
    text_ += begun_ ? ",\n" : "{\"apiVersion\":\"v1\",\"kind\":\"List\"," + note_ + "\"items\":[\n";
  }
  begun_ = true;
}

void ObjectWriter::write(size_t most) {
  if (text_.size() <= most) return;
  sink_.write(text_);
  text_.clear();
}

void ObjectWriter::add(document::Value object, std::string_view kind,
                       std::string_view api_version) {
  begin();
  const bool has_kind = object.find("kind").present();
  const bool has_version = object.find("apiVersion").present();
  if (as_ == As::kYaml) {
    if (!has_version && !api_version.empty())
      text_ += "apiVersion: " + std::string(api_version) + "\n";
    if (!has_kind) text_ += "kind: " + std::string(kind) + "\n";
    text_ += document::to_yaml(object);
    return write(kWrittenTogether);
  }
  const auto added = [&](std::string_view key, std::string_view value) {
    append_json_text(key, text_);
    text_ += ':';
    append_json_text(value, text_);
    text_ += ',';
  };
  if (has_kind && (has_version || api_version.empty())) {
    document::append_json(object, text_);
  } else {
    text_ += '{';
    if (!has_version && !api_version.empty()) added("apiVersion", api_version);
    if (!has_kind) added("kind", kind);
    const size_t rest = text_.size();
    document::append_json(object, text_);
    text_.erase(rest, 1);                                      // its brace
    if (object.size() == 0) text_.erase(text_.size() - 2, 1);  // the last comma
  }
  write(kWrittenTogether);
}

template <typename Object>
void ObjectWriter::item(const Object& object) {
  begin();
  if (as_ == As::kYaml) {
    std::string json;
    append(object, json);
    Diagnostics none;
    const document::Document document = document::Document::parse(json, "", none);
    text_ += document::to_yaml(document.roots().front());
  } else {
    append(object, text_);
  }
  write(kWrittenTogether);
}

void ObjectWriter::cluster(std::span<const Change> objects) {
  for (const Change& change : objects) item(change.object);
}

void ObjectWriter::pods(const PodBatch& pods) {
  for (size_t i = 0; i < pods.size(); ++i) item(known().pod(pods, i));
}

void ObjectWriter::end() {
  if (as_ == As::kList) {
    if (!begun_) text_ += "{\"apiVersion\":\"v1\",\"kind\":\"List\"," + note_ + "\"items\":[";
    text_ += "\n]}\n";
  }
  write(0);
}

}  // namespace berth::ingest
