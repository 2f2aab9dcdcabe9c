// Workload files with faults, and the messages they cause.

#include "loadgen/workload/parse/parse_workload.h"

#include <gtest/gtest.h>

#include "loadgen/testing.h"

namespace berth::loadgen {
namespace {

class Broken : public testing::TestWithParam<Wrong> {};

TEST_P(Broken, IsSaidWhereAndWhy) {
  const std::vector<std::string> found = faults(head(GetParam().text));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(Files, Broken, testing::ValuesIn(wrong_workloads()),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(Parse, FindsSeveralFaultsAtOnce) {
  EXPECT_EQ(faults(head("cluster: {nodes: a, racks: b}\nnamespaces: 5\n")).size(), 3u);
}

TEST(Parse, SaysWhichVersionItReads) {
  EXPECT_EQ(faults("kind: Workload\nname: a\n").at(0),
            "1:1: apiVersion: expected berth/v1, found nothing");
}

TEST(Parse, TakesNamesThatOnlyLookAlike) {
  const std::string templates =
      "templates: [{name: a, template: {spec: {containers: [{name: c}]}}}]\n";
  for (const std::string text :
       {"namespaces: [{name: shop, count: 5}, {name: shop-5}, {name: shop-04}]\n",
        "namespaces: [{name: shop-1}, {name: shop}, {name: shop-1-0}]\n",
        "namespaces: [{name: shop, count: 5}, {name: shop-1-x}, {name: shop-1, count: 2}]\n",
        "namespaces: [{name: churn-7}]\nchurn: {namespaces: [{every: 1s, lasting: 1s}]}\n"
        "duration: 1s\n"})
    EXPECT_TRUE(faults(head(text)).empty()) << text;
  EXPECT_TRUE(
      faults(head(templates + "owners: [{kind: Job, name: a, template: a, replicas: 1, count: 0}, "
                              "{kind: Job, name: a-0, template: a, replicas: 1}, {kind: Job, name: "
                              "a-123456, template: a, replicas: 1}]\n"))
          .empty());
}

TEST(Parse, TakesParametersAmongAllocatable) {
  const WorkloadSpec spec =
      parsed(head("parameters: {cpus: 8, disk: 10Gi}\n"
                  "cluster: {nodes: 1, shapes: [{name: a, allocatable: {cpu: $cpus, memory: 1Gi, "
                  "ephemeral-storage: $disk}}]}\n"));
  ASSERT_EQ(spec.cluster.shapes.size(), 1u);
  const model::ResourceList expected = {
      {"cpu", model::Quantity::from_units(8)},
      {"ephemeral-storage", model::Quantity::from_units(int64_t{10} << 30)},
      {"memory", model::Quantity::from_units(int64_t{1} << 30)}};
  EXPECT_EQ(spec.cluster.shapes[0].allocatable, expected);
}

TEST(Parse, TakesVolumesThatDoNotMatter) {
  const auto template_with = [](const std::string& volume) {
    return head("templates: [{name: a, template: {spec: {volumes: [{name: v, " + volume +
                ": {}}], containers: [{name: c}]}}}]\n");
  };
  for (const char* volume : {"emptyDir", "nfs", "gitRepo", "csi", "fc"})
    EXPECT_TRUE(faults(template_with(volume)).empty()) << volume;
  // Refused: volumes that two pods may not share, of which a node has a limited number, or that are
  // tied to a place.
  for (const char* volume : {"gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd",
                             "azureFile", "portworxVolume", "ephemeral", "something"})
    EXPECT_FALSE(faults(template_with(volume)).empty()) << volume;
}

TEST(Parse, KnowsTimes) {
  const auto tick = [](const std::string& text) {
    return parsed(head("tick: " + text + "\n")).tick;
  };
  EXPECT_EQ(tick("1h30m"), 5'400'000'000'000);
  EXPECT_EQ(tick("1.5s"), 1'500'000'000);
  EXPECT_EQ(tick("2d"), 172'800'000'000'000);
  EXPECT_EQ(tick("0.000000001s1us"), 1001);
  for (const char* wrong : {"5", "-1s", "1x", "s", "1.s", "1e3s", "99999999d"})
    EXPECT_FALSE(faults(head(std::string("tick: ") + wrong + "\n")).empty()) << wrong;
}

}  // namespace
}  // namespace berth::loadgen
