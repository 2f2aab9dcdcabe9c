#include "engine/ingest/admission/label_syntax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kName[] =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr char kSubdomain[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr char kValue[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr char kDnsLabel[] =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

std::string after(const char* prefix, const char* text) { return std::string(prefix) + text; }

TEST(LabelSyntax, KeysThatMayBe) {
  for (const std::string& key :
       {std::string("a"), std::string("A.b_c-9"), std::string("example.com/a"),
        std::string("x-1.y/Z"), std::string(63, 'k'), std::string(253, 'p') + "/k"}) {
    EXPECT_THAT(label_key_problems(key), IsEmpty()) << key;
  }
}

TEST(LabelSyntax, KeysThatMayNotBe) {
  for (const char* key : {"-a", "a-", "a b", "a:b", ".", "_", "ä"}) {
    EXPECT_THAT(label_key_problems(key), ElementsAre(after("name part ", kName))) << key;
  }
  EXPECT_THAT(label_key_problems(""),
              ElementsAre("name part must be non-empty", after("name part ", kName)));
  EXPECT_THAT(label_key_problems("a/"),
              ElementsAre("name part must be non-empty", after("name part ", kName)));
  EXPECT_THAT(label_key_problems(std::string(64, 'k')),
              ElementsAre("name part must be no more than 63 characters"));
  EXPECT_THAT(label_key_problems("/a"), ElementsAre("prefix part must be non-empty"));
  for (const char* key : {"A/a", "a_b/a", "a..b/a", ".a/a", "a./a", "-a/a", "a.b-/a"}) {
    EXPECT_THAT(label_key_problems(key), ElementsAre(after("prefix part ", kSubdomain))) << key;
  }
  EXPECT_THAT(label_key_problems(std::string(254, 'p') + "/k"),
              ElementsAre("prefix part must be no more than 253 characters"));
  EXPECT_THAT(label_key_problems("a/b/c"),
              ElementsAre(after("a qualified name ", kName) +
                          " with an optional DNS subdomain prefix and '/' (e.g. "
                          "'example.com/MyName')"));
  EXPECT_THAT(label_key_problems("A/ b"),
              ElementsAre(after("prefix part ", kSubdomain), after("name part ", kName)));
}

TEST(LabelSyntax, Values) {
  for (const std::string& value :
       {std::string(), std::string("a"), std::string("A.b_c-9"), std::string(63, 'v')}) {
    EXPECT_THAT(label_value_problems(value), IsEmpty()) << value;
  }
  for (const char* value : {"-", "a/b", "a b", "a.", "é"}) {
    EXPECT_THAT(label_value_problems(value), ElementsAre(kValue)) << value;
  }
  EXPECT_THAT(label_value_problems(std::string(64, '-')),
              ElementsAre("must be no more than 63 characters", kValue));
}

TEST(LabelSyntax, NamespaceNames) {
  for (const std::string& name : {std::string("a"), std::string("a-9"), std::string(63, 'n')}) {
    EXPECT_THAT(namespace_name_problems(name), IsEmpty()) << name;
  }
  for (const char* name : {"", "A", "a_b", "-a", "a-", "a.-b"}) {
    EXPECT_THAT(namespace_name_problems(name), ElementsAre(kDnsLabel)) << name;
  }
  EXPECT_THAT(namespace_name_problems("a.b"), ElementsAre("must not contain dots"));
  EXPECT_THAT(namespace_name_problems(std::string(64, 'n')),
              ElementsAre("must be no more than 63 characters"));
}

}  // namespace
}  // namespace berth::ingest
