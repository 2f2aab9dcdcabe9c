#include "engine/document/foreign_text.h"

#include <gtest/gtest.h>

#include "engine/document/testing.h"

namespace berth::document {
namespace {

using namespace std::string_literals;

TEST(ForeignText, CompressedDataIsNamedWithItsTool) {
  EXPECT_EQ(foreign_text("\x1f\x8b\x08\0"s), "this is gzip data: decompress it first, with gunzip");
  EXPECT_EQ(foreign_text("\x28\xb5\x2f\xfd\x04"s),
            "this is zstd data: decompress it first, with unzstd");
  EXPECT_EQ(foreign_text("PK\x03\x04\n"s), "this is zip data: decompress it first, with unzip");
}

TEST(ForeignText, Utf16IsSeenWithAndWithoutAByteOrderMark) {
  for (const std::string& text : {"\xff\xfe{\0"s, "\xfe\xff\0{"s, "{\0\"\0"s, "\0{\0\""s}) {
    const auto message = foreign_text(text);
    ASSERT_TRUE(message.has_value()) << text;
    EXPECT_TRUE(message->starts_with("this is UTF-16 text")) << *message;
  }
}

TEST(ForeignText, TablesOfKubectlAreToldFromYaml) {
  for (const char* text : {"NAME     STATUS   ROLES           AGE   VERSION\nn   Ready\n",
                           "NAMESPACE     NAME                 READY   STATUS\n",
                           "NAME   READY   NOMINATED NODE   READINESS GATES\r\n",
                           "NODE   CPU(cores)   CPU%\n", "NAME   CPU(CORES)   CPU(%)\n"}) {
    const bool capitals = std::string_view(text).find("cores") == std::string_view::npos;
    EXPECT_EQ(foreign_text(text).has_value(), capitals) << text;
  }
  for (const char* text :
       {"NAME\nweb-0\n", "NAME    \r\nweb-0.example\r\nweb-1\r\n", "NAME\nweb-0"})
    EXPECT_TRUE(foreign_text(text).has_value()) << text;
  for (const char* text :
       {"NAME\n", "NAME\nkind: Pod\n", "NAME\n---\n", "NAME\n- a\n", "NAMES\na\n", "NAME web-0\n",
        "", "NAME: x\n", "NAME", "NAME   \n", "A B  C\n", "kind:   Pod\n", "---\nNAME   AGE\n",
        "{\"kind\":\"Pod\"}", "BZ", "PK: 1"})
    EXPECT_EQ(foreign_text(text), std::nullopt) << text;
}

TEST(ForeignText, IsTheOnlyErrorOfItsFile) {
  EXPECT_EQ(Parsed("NAME   STATUS\nn      Ready\n").errors,
            Texts({"file: this is a table that kubectl prints for people: write the objects with "
                   "kubectl get -o json"}));
  EXPECT_EQ(Parsed("\x1f\x8b\x08\0\0"s).errors,
            Texts({"file: this is gzip data: decompress it first, with gunzip"}));
}

}  // namespace
}  // namespace berth::document
