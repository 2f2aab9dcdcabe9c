#include "engine/document/yaml/write_yaml.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engine/document/testing.h"

namespace berth::document {
namespace {

std::string yaml_of(std::string_view json) {
  const Parsed parsed(json);
  EXPECT_TRUE(parsed.errors.empty()) << parsed.first();
  return to_yaml(parsed.document.roots().front());
}

// The JSON of what is read of the YAML text that is written for a JSON text.
std::string round_trip(std::string_view json) { return Parsed(yaml_of(json)).first(); }

TEST(WriteYaml, UsesBlocks) {
  EXPECT_EQ(yaml_of(R"({"a":{"b":[1,{"c":"d","e":[]},[2,3]],"f":{}},"g":null,"h":true,"i":1.5})"),
            "a:\n"
            "  b:\n"
            "  - 1\n"
            "  - c: d\n"
            "    e: []\n"
            "  - - 2\n"
            "    - 3\n"
            "  f: {}\n"
            "g: null\n"
            "h: true\n"
            "i: 1.5\n");
  EXPECT_EQ(yaml_of("[]"), "[]\n");
  EXPECT_EQ(yaml_of("\"x\""), "x\n");
}

TEST(WriteYaml, QuotesWhatIsNoWord) {
  for (const std::string word : {"name", "kube-system", "topology.kubernetes.io/zone", "A_1"})
    EXPECT_EQ(yaml_of("\"" + word + "\""), word + "\n");
  for (const std::string text : {"", "true", "No", "y", "null", "~", "1", "1e3", "0x1f", "-",
                                 "a: b", "a #b", "*", "2001-01-01", "http://a", " a", "a ", "<<"})
    EXPECT_EQ(yaml_of("\"" + text + "\""), "\"" + text + "\"\n");
}

TEST(WriteYaml, NumbersAreAsTheyAreRead) {
  EXPECT_EQ(yaml_of("[1.50,1E5,-7,18446744073709551616,0.1]"),
            "- 1.5\n- 100000\n- -7\n- 18446744073709552000\n- 0.1\n");
  EXPECT_EQ(yaml_of("[1e400]"), "- 1e400\n");
}

TEST(WriteYaml, CanBeReadAgain) {
  const std::string long_key(5000, 'k');
  for (const std::string& json :
       Texts{R"({"":""})", R"({"<<":{"a":1}})", R"({"a\nb":"c\n\td\u0000\u007f"})",
             R"({"true":["on","off"],"1":"1"})", R"([[],[[]],{},[{}],{"a":[[{"b":[{}]}]]}])",
             "{\"" + long_key + "\":[{\"" + long_key + "\":{\"a\":[1]}}]}",
             "[\"\xef\xbb\xbf\",\"a\xef\xbf\xbe\xef\xbf\xbf\",\"\xf0\x9f\x98\x80\xc2\x85\"]"})
    EXPECT_EQ(round_trip(json), Parsed(json).first()) << json;
}

RC_GTEST_PROP(WriteYamlProperty, AnyTextCanBeReadAgain, (const std::string& text)) {
  std::string json = "{";
  append_json_string(text, json);
  json += ":[";
  append_json_string(text, json);
  json += "]}";
  RC_ASSERT(round_trip(json) == Parsed(json).first());
}

}  // namespace
}  // namespace berth::document
