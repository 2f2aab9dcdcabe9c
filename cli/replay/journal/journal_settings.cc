#include "cli/replay/journal/journal_settings.h"

#include "engine/base/error.h"
#include "engine/document/json/json_writer.h"

namespace berth::cli {
namespace {

// Of the journal's frames; a reader refuses others.
constexpr int64_t kJournalVersion = 1;

std::vector<std::string> texts_of(document::Value list) {
  std::vector<std::string> texts;
  for (const document::Value value : list.elements()) texts.emplace_back(value.text());
  return texts;
}

}  // namespace

std::string JournalSettings::to_json() const {
  rapidjson::StringBuffer buffer;
  document::JsonWriter json(buffer);
  json.object([&] {
    json.member("journal", kJournalVersion);
    json.member("berth", program);
    json.array("options", options, [&](const JournalOption& option) {
      json.object([&] {
        json.member("name", option.name);
        json.texts("values", option.values);
      });
    });
    json.array("inputs", inputs, [&](const JournalInput& input) {
      json.object([&] {
        json.member("path", input.path);
        json.member_if("folder", input.folder);
        json.member("live", input.live);
      });
    });
  });
  return {buffer.GetString(), buffer.GetSize()};
}

JournalSettings JournalSettings::read(std::string_view json) {
  Diagnostics faults;
  const document::Document document = document::Document::parse(json, "the journal", faults);
  if (faults.count() != 0 || document.roots().size() != 1)
    throw Error("the settings of the journal cannot be read");
  const document::Value root = document.roots()[0];
  if (root.find("journal").as_int64() != kJournalVersion)
    throw Error("the journal is of another version than this berth reads");
  JournalSettings settings{
      .program = std::string(root.find("berth").text()), .options = {}, .inputs = {}};
  for (const document::Value option : root.find("options").elements())
    settings.options.push_back(
        {std::string(option.find("name").text()), texts_of(option.find("values"))});
  for (const document::Value input : root.find("inputs").elements()) {
    const document::Value live = input.find("live");
    settings.inputs.push_back({std::string(input.find("path").text()),
                               std::string(input.find("folder").text()),
                               live.is(document::Kind::kBoolean) && live.as_bool()});
  }
  return settings;
}

}  // namespace berth::cli
