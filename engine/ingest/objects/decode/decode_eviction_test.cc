#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/conversion/dropped.h"
#include "engine/ingest/objects/objects_for_tests.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Decoded<model::EvictionRequest> eviction(const std::string& text) {
  return {decode_eviction, text, Defaults::kApiServer};
}

model::EvictionRequest whole_eviction() {
  return {.name = "web-1",
          .namespace_name = "team",
          .grace_seconds = 7,
          .dry_run = true,
          .uid = "u-1",
          .resource_version = "42"};
}

TEST(DecodeEviction, ReadsEveryField) {
  const auto decoding = eviction(R"(
apiVersion: policy/v1
kind: Eviction
metadata: {name: web-1, namespace: team}
deleteOptions:
  gracePeriodSeconds: 7
  dryRun: [All]
  preconditions: {uid: u-1, resourceVersion: "42"}
)");
  ASSERT_EQ(decoding.errors, Texts());
  EXPECT_EQ(*decoding.object, whole_eviction());
}

TEST(DecodeEviction, ABareOneLeavesAllToThePod) {
  const auto decoding = eviction("metadata: {name: web-1}");
  ASSERT_EQ(decoding.errors, Texts());
  const model::EvictionRequest bare{"web-1", "default", {}, false, {}, {}};
  EXPECT_EQ(*decoding.object, bare);
}

TEST(DecodeEviction, ANegativeGracePeriodIsOneSecond) {
  EXPECT_EQ(eviction("{metadata: {name: a}, deleteOptions: {gracePeriodSeconds: -9}}")
                .object->grace_seconds,
            1);
}

TEST(DecodeEviction, AnEmptyUidIsStillAPrecondition) {
  const auto decoding =
      eviction("{metadata: {name: a}, deleteOptions: {preconditions: {uid: ''}}}");
  EXPECT_EQ(decoding.object->uid, "");
  EXPECT_EQ(decoding.object->resource_version, std::nullopt);
}

TEST(DecodeEviction, TellsFaults) {
  EXPECT_THAT(eviction("{metadata: {name: a}, deleteOptions: {dryRun: [Some]}}").errors,
              ElementsAre(HasSubstr("deleteOptions.dryRun: Unsupported value: \"Some\": supported "
                                    "values: \"All\"")));
  EXPECT_THAT(eviction("{metadata: {name: a}, deleteOptions: {gracePeriodSeconds: soon}}").errors,
              ElementsAre(HasSubstr("deleteOptions.gracePeriodSeconds: ")));
  EXPECT_THAT(eviction("{metadata: {generateName: a-}}").errors,
              ElementsAre(HasSubstr("an Eviction needs a name")));
}

TEST(DecodeEviction, IsWrittenAsItIsRead) {
  for (const model::EvictionRequest& request :
       {whole_eviction(), model::EvictionRequest{"a", "b", 0, false, "", {}},
        model::EvictionRequest{"a", "b", {}, false, {}, {}}}) {
    std::string json;
    append(request, json);
    const auto decoding = eviction(json);
    ASSERT_EQ(decoding.errors, Texts());
    EXPECT_EQ(*decoding.object, request) << json;
    Dropped dropped(false, Workloads::kMixed);
    dropped.inspect(decoding.document.roots()[0], "Eviction");
    EXPECT_TRUE(dropped.counts().empty()) << json;
  }
}

TEST(DecodeEviction, ComesInBothVersionsOfItsGroup) {
  const auto read = [](const std::string& version) {
    Diagnostics diagnostics;
    ObjectReader reader(diagnostics, Defaults::kApiServer, Workloads::kManifests,
                        Validation::kNew1_34);
    reader.read_text("{apiVersion: " + version + ", kind: Eviction, metadata: {name: a}}", "file");
    EXPECT_EQ(reader.objects().others.size(), diagnostics.count() == 0 ? 1u : 0u);
    return messages(diagnostics);
  };
  EXPECT_EQ(read("policy/v1"), Texts());
  EXPECT_EQ(read("policy/v1beta1"), Texts());
  EXPECT_THAT(read("policy/v2"),
              ElementsAre(HasSubstr("no matches for kind \"Eviction\" in version \"policy/v2\"; it "
                                    "is in policy/v1")));
}

}  // namespace
}  // namespace berth::ingest
