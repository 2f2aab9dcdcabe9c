#include "engine/model/objects/pod_requests.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/model/cluster/testing.h"

namespace berth::model {
namespace {

int64_t amount(const ResourceList& requests, const std::string& name) {
  for (const auto& [resource, quantity] : requests)
    if (resource == name) return resource_amount(name, quantity);
  return -1;  // absent
}

TEST(PodRequests, ContainersAddUp) {
  PodSpec spec;
  spec.containers = {container(100, 10), container(250, -1), container(-1, 5)};
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 350);
  EXPECT_EQ(amount(r.requests, "memory"), 15 * kMi);
  EXPECT_EQ(amount(r.requests, "ephemeral-storage"), -1);
  EXPECT_EQ(amount(r.running, "cpu"), 350);
  // Each container without requests counts 100m and 200 MiB.
  EXPECT_EQ(amount(r.scoring, "cpu"), 450);
  EXPECT_EQ(amount(r.scoring, "memory"), 215 * kMi);
  EXPECT_EQ(r.nonzero_milli_cpu, 450);
  EXPECT_EQ(r.nonzero_memory, 215 * kMi);
}

TEST(PodRequests, ZeroIsNamedAndGetsNoDefault) {
  PodSpec spec;
  spec.containers = {container(0, 0)};
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 0);
  EXPECT_EQ(r.nonzero_milli_cpu, 0);
  EXPECT_EQ(r.nonzero_memory, 0);
}

TEST(PodRequests, OfNoContainersThereAreNone) {
  PodRequests r = pod_requests({});
  EXPECT_TRUE(r.requests.empty());
  EXPECT_EQ(r.nonzero_milli_cpu, 0);
}

TEST(PodRequests, InitContainersRunOneAfterTheOther) {
  PodSpec spec;
  spec.init_containers = {container(500, 10), container(300, 40)};
  spec.containers = {container(200, 15), container(200, 15)};
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 500);          // the largest init container
  EXPECT_EQ(amount(r.requests, "memory"), 40 * kMi);  // another init container is the largest here
  spec.containers.push_back(container(200, 15));
  r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 600);  // now the sum of the containers is larger
  EXPECT_EQ(amount(r.requests, "memory"), 45 * kMi);
}

// From Kubernetes' documentation of sidecars: an init container runs together with the sidecars
// that were started before it.
TEST(PodRequests, SidecarsRunBesideWhatComesAfterThem) {
  PodSpec spec;
  spec.init_containers = {container(1000, -1), container(100, -1, true), container(800, -1),
                          container(50, -1, true), container(300, -1)};
  spec.containers = {container(400, -1)};
  // 1000 | 100 | 800+100 | 100+50 | 300+150 against 400+150.
  EXPECT_EQ(amount(pod_requests(spec).requests, "cpu"), 1000);
  spec.init_containers[0] = container(10, -1);
  EXPECT_EQ(amount(pod_requests(spec).requests, "cpu"), 900);
  spec.init_containers[2] = container(10, -1);
  EXPECT_EQ(amount(pod_requests(spec).requests, "cpu"), 550);
}

TEST(PodRequests, DefaultsOfInitContainersCountInTheirTurn) {
  PodSpec spec;
  spec.init_containers = {container(-1, -1, true), container(-1, -1)};
  spec.containers = {container(30, 1)};
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 30);
  // Sidecar and init container with 100 each exceed 30 plus the sidecar.
  EXPECT_EQ(r.nonzero_milli_cpu, 200);
  EXPECT_EQ(r.nonzero_memory, 400 * kMi);
}

TEST(PodRequests, PodLevelTakesThePlaceOfTheSum) {
  PodSpec spec;
  spec.containers = {container(100, 10), container(-1, 10)};
  spec.has_pod_resources = true;
  spec.pod_requests = list(900, -1);
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 900);
  EXPECT_EQ(amount(r.requests, "memory"), 20 * kMi);
  EXPECT_EQ(amount(r.running, "cpu"), 900);
  // The scoring sum ignores pod-level requests.
  EXPECT_EQ(amount(r.scoring, "cpu"), 200);
  EXPECT_EQ(r.nonzero_milli_cpu, 900);
  EXPECT_EQ(r.nonzero_memory, 20 * kMi);
}

TEST(PodRequests, PodLevelIsForSomeResourcesAlone) {
  PodSpec spec;
  Container one = container(100, -1);
  one.requests.emplace_back("example.com/gpu", Quantity::from_units(1));
  spec.containers = {one};
  spec.has_pod_resources = true;
  spec.pod_requests = {{"example.com/gpu", Quantity::from_units(7)},
                       {"hugepages-2Mi", Quantity::from_units(4 * kMi)}};
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "example.com/gpu"), 1);
  EXPECT_EQ(amount(r.requests, "hugepages-2Mi"), 4 * kMi);
  // Neither level names memory, so the container's default applies.
  EXPECT_EQ(r.nonzero_memory, 200 * kMi);
  EXPECT_EQ(r.nonzero_milli_cpu, 100);
}

TEST(PodRequests, OverheadComesOnTop) {
  PodSpec spec;
  spec.init_containers = {container(500, -1)};
  spec.containers = {container(100, -1)};
  spec.overhead = list(25, 3);
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 525);
  EXPECT_EQ(amount(r.requests, "memory"), 3 * kMi);
  EXPECT_EQ(amount(r.scoring, "cpu"), 525);
  EXPECT_EQ(r.nonzero_milli_cpu, 525);
  EXPECT_EQ(r.nonzero_memory, 203 * kMi);
  spec.has_pod_resources = true;
  spec.pod_requests = list(50, -1);
  EXPECT_EQ(amount(pod_requests(spec).requests, "cpu"), 75);
}

TEST(PodRequests, AfterAResizeTheLargerCounts) {
  PodSpec spec;
  spec.containers = {container(300, 10)};
  spec.containers[0].name = "app";
  ContainerStatus status;
  status.name = "app";
  status.has_resources = true;
  status.requests = list(500, 5);
  status.allocated_resources = list(400, 20);
  spec.container_statuses = {status};
  PodRequests r = pod_requests(spec);
  EXPECT_EQ(amount(r.requests, "cpu"), 300);  // filters compare the spec
  EXPECT_EQ(amount(r.running, "cpu"), 500);
  EXPECT_EQ(amount(r.running, "memory"), 20 * kMi);
  EXPECT_EQ(r.nonzero_milli_cpu, 500);
  spec.containers[0].requests = list(900, 10);
  EXPECT_EQ(amount(pod_requests(spec).running, "cpu"), 900);
  spec.resize_infeasible = true;  // now the new requests do not count
  EXPECT_EQ(amount(pod_requests(spec).running, "cpu"), 500);
  spec.container_statuses[0].name = "other";
  EXPECT_EQ(amount(pod_requests(spec).running, "cpu"), 900);
  spec.container_statuses[0].name = "app";
  spec.container_statuses[0].has_resources = false;
  EXPECT_EQ(amount(pod_requests(spec).running, "cpu"), 900);
}

TEST(PodRequests, AResizeOfTheWholePodCountsByARule) {
  PodSpec spec;
  spec.containers = {container(100, 10)};
  spec.has_pod_resources = true;
  spec.pod_requests = list(300, 10);
  spec.own_status = {"", true, list(500, 5), list(400, 20)};
  spec.own_status.requests.emplace_back("hugepages-2Mi", Quantity::from_units(1));
  const auto running = [&] { return pod_requests(spec, PodLevelResize::kCounts); };
  EXPECT_EQ(amount(pod_requests(spec).running, "cpu"), 300);
  EXPECT_EQ(amount(running().requests, "cpu"), 300);  // filters compare the spec
  EXPECT_EQ(amount(running().running, "cpu"), 500);
  EXPECT_EQ(amount(running().running, "memory"), 20 * kMi);
  EXPECT_EQ(amount(running().running, "hugepages-2Mi"), -1);  // the spec does not name it
  EXPECT_EQ(running().nonzero_milli_cpu, 500);
  EXPECT_EQ(running().nonzero_memory, 20 * kMi);
  spec.pod_requests = list(900, 30);
  EXPECT_EQ(amount(running().running, "cpu"), 900);
  spec.resize_infeasible = true;
  EXPECT_EQ(amount(running().running, "cpu"), 500);
  EXPECT_EQ(amount(running().running, "memory"), 20 * kMi);
  spec.own_status.requests = list(500, -1);
  spec.own_status.allocated_resources = {};
  EXPECT_EQ(amount(running().running, "memory"), 0);
  spec.own_status.has_resources = false;
  EXPECT_EQ(amount(running().running, "cpu"), 900);
}

TEST(PodRequests, AmountsAreInTheirUnits) {
  EXPECT_EQ(resource_amount("cpu", *Quantity::parse("1.5")), 1500);
  EXPECT_EQ(resource_amount("cpu", *Quantity::parse("1u")), 1);
  EXPECT_EQ(resource_amount("memory", *Quantity::parse("1500m")), 2);
  EXPECT_EQ(resource_amount("example.com/gpu", *Quantity::parse("3")), 3);
}

}  // namespace
}  // namespace berth::model
