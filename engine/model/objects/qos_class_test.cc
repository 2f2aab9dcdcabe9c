#include "engine/model/objects/qos_class.h"

#include <gtest/gtest.h>

namespace berth::model {
namespace {

ResourceList amounts(int64_t milli_cpu, int64_t memory) {
  ResourceList list;
  if (milli_cpu >= 0) list.emplace_back("cpu", Quantity::from_milli(milli_cpu));
  if (memory >= 0) list.emplace_back("memory", Quantity::from_units(memory));
  return list;
}
Container container_of(ResourceList requests, ResourceList limits) {
  Container made;
  made.requests = std::move(requests);
  made.limits = std::move(limits);
  return made;
}
QosClass class_of(std::vector<Container> containers, std::vector<Container> init = {}) {
  PodSpec spec;
  spec.containers = std::move(containers);
  spec.init_containers = std::move(init);
  return qos_class(spec);
}

TEST(QosClassTest, PodsThatNameNothingAreBestEffort) {
  EXPECT_EQ(class_of({container_of({}, {})}), QosClass::kBestEffort);
  EXPECT_EQ(class_of({container_of(amounts(0, 0), amounts(0, 0))}), QosClass::kBestEffort);
  Container storage;
  storage.requests = {{"ephemeral-storage", Quantity::from_units(1)}};
  EXPECT_EQ(class_of({storage}), QosClass::kBestEffort);
}

TEST(QosClassTest, GuaranteedPodsLimitBothInEachContainer) {
  const Container full = container_of(amounts(500, 64), amounts(500, 64));
  EXPECT_EQ(class_of({full}), QosClass::kGuaranteed);
  EXPECT_EQ(class_of({full, full}), QosClass::kGuaranteed);
  EXPECT_EQ(class_of({full, container_of({}, {})}), QosClass::kBurstable);
  EXPECT_EQ(class_of({full}, {container_of({}, {})}), QosClass::kBurstable);
  EXPECT_EQ(class_of({full}, {full}), QosClass::kGuaranteed);
  EXPECT_EQ(class_of({container_of(amounts(500, -1), amounts(500, -1))}), QosClass::kBurstable);
  EXPECT_EQ(class_of({container_of(amounts(500, 64), amounts(501, 64))}), QosClass::kBurstable);
  EXPECT_EQ(class_of({container_of(amounts(500, 64), amounts(500, 0))}), QosClass::kBurstable);
  // As upstream: what the containers lack in sum is what counts.
  EXPECT_EQ(class_of({container_of(amounts(400, 64), amounts(500, 64)),
                      container_of(amounts(600, 64), amounts(500, 64))}),
            QosClass::kGuaranteed);
  EXPECT_EQ(class_of({container_of({}, amounts(500, 64))}), QosClass::kBurstable);
}

TEST(QosClassTest, ResourcesOfThePodHideThoseOfItsContainers) {
  PodSpec spec;
  spec.containers = {container_of(amounts(500, 64), amounts(500, 64))};
  spec.has_pod_resources = true;
  EXPECT_EQ(computed_qos_class(spec), QosClass::kBestEffort);
  spec.pod_requests = amounts(900, 128);
  EXPECT_EQ(computed_qos_class(spec), QosClass::kBurstable);
  EXPECT_EQ(computed_qos_class(spec, amounts(900, 128)), QosClass::kGuaranteed);
  EXPECT_EQ(computed_qos_class(spec, amounts(900, -1)), QosClass::kBurstable);
  EXPECT_EQ(computed_qos_class(spec, amounts(901, 128)), QosClass::kBurstable);
}

TEST(QosClassTest, TheClassOfTheStatusComesFirst) {
  PodSpec spec;
  spec.qos_class = QosClass::kGuaranteed;
  EXPECT_EQ(qos_class(spec), QosClass::kGuaranteed);
  for (const QosClass one : {QosClass::kBestEffort, QosClass::kBurstable, QosClass::kGuaranteed})
    EXPECT_EQ(read_qos_class(qos_class_name(one)), one);
  EXPECT_EQ(read_qos_class("guaranteed"), std::nullopt);
}

}  // namespace
}  // namespace berth::model
