// The schema and the parser agree on all presets and on files of a wrong shape.

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/schema.h>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "loadgen/testing.h"
#include "loadgen/workload/parse/parse_workload.h"
#include "loadgen/workload/preset_texts.h"

namespace berth::loadgen {
namespace {

class Schema : public testing::Test {
 protected:
  Schema() {
    const std::string_view text = schema_text();
    document_.Parse(text.data(), text.size());
    EXPECT_FALSE(document_.HasParseError());
    schema_ = std::make_unique<rapidjson::SchemaDocument>(document_);
  }

  bool takes(std::string_view text) {
    Diagnostics diagnostics;
    const document::Document parsed =
        document::Document::parse(text, "", diagnostics, workload_limits());
    if (parsed.roots().size() != 1) return false;
    rapidjson::Document workload;
    workload.Parse(document::to_json(parsed.roots()[0]).c_str());
    rapidjson::SchemaValidator validator(*schema_);
    return workload.Accept(validator);
  }

  rapidjson::Document document_;
  std::unique_ptr<rapidjson::SchemaDocument> schema_;
};

TEST_F(Schema, TakesAllPresets) {
  for (const PresetText& preset : preset_texts()) EXPECT_TRUE(takes(preset.text)) << preset.name;
}

TEST_F(Schema, RefusesWhatIsWrongInItsShape) {
  EXPECT_TRUE(takes(head("")));
  for (const Wrong& wrong : wrong_workloads())
    EXPECT_NE(takes(head(wrong.text)), wrong.by_shape) << wrong.name;
}

}  // namespace
}  // namespace berth::loadgen
