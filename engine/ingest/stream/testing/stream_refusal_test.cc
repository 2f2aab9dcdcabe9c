// A faulty object in a frame does not affect other objects.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "berth/schema/bindings_generated.h"
#include "berth/schema/cluster_generated.h"
#include "engine/ingest/stream/testing/stream_faults_for_tests.h"

namespace berth::ingest {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A frame of two pods, the first of which is faulty.
struct Columns {
  std::vector<uint32_t> template_ids = {0, 0};
  std::vector<std::string> namespaces = {"default", ""};
  std::vector<uint16_t> namespace_indices = {0, 0};
  std::vector<uint8_t> name_lengths = {3, 3};
  std::string names = "badpod";
  std::vector<uint8_t> uid_lengths = {1, 1};
  std::string uids = "12";
  std::vector<std::string> label_keys = {"a", "b"};
  std::vector<uint16_t> label_counts = {2, 2};
  std::vector<uint16_t> label_key_indices = {0, 1, 0, 1};
  std::vector<uint8_t> label_value_lengths = {1, 1, 1, 1};
  std::string label_values = "1234";
  std::vector<std::string> controllers = {"web", "db"};  // names
  std::vector<uint16_t> controller_indices = {2, 0};
  std::vector<int64_t> created_at = {0, 1};

  std::vector<std::string> faults() const {
    std::vector<std::string> pods;
    return faults(pods);
  }

  std::vector<std::string> faults(std::vector<std::string>& pods) const {
    const auto fill = [&](FlatBufferBuilder& b) {
      const auto bytes = [&](const std::string& text) {
        return b.CreateVector(reinterpret_cast<const uint8_t*>(text.data()), text.size());
      };
      std::vector<flatbuffers::Offset<schema::Controller>> owners;
      for (const std::string& name : controllers) {
        owners.push_back(schema::CreateControllerDirect(b, "v1", "Set", name.c_str(), "uid"));
      }
      b.Finish(schema::CreatePods(
          b, b.CreateVector(template_ids), b.CreateVectorOfStrings(namespaces),
          b.CreateVector(namespace_indices), b.CreateVector(name_lengths), bytes(names),
          b.CreateVector(uid_lengths), bytes(uids), 0, 0, b.CreateVectorOfStrings(label_keys),
          b.CreateVector(label_counts), b.CreateVector(label_key_indices),
          b.CreateVector(label_value_lengths), bytes(label_values), b.CreateVector(owners),
          b.CreateVector(controller_indices), b.CreateVector(created_at)));
    };
    pods = read(with_frame(FrameKind::Pods, fill)).pods;
    return faults_of(FrameKind::Pods, fill);
  }
};

void expect_first_refused(const Columns& columns, const std::string& message) {
  std::vector<std::string> pods;
  EXPECT_THAT(columns.faults(pods), ElementsAre(HasSubstr("pods[0]: " + message)));
  EXPECT_THAT(pods, ElementsAre("pod", "good"));
}

TEST(StreamRefusal, TheFrameThatTheNextTestsSpoilIsGood) {
  std::vector<std::string> pods;
  EXPECT_THAT(Columns().faults(pods), IsEmpty());
  EXPECT_THAT(pods, ElementsAre("bad", "pod", "good"));
}

TEST(StreamRefusal, ABadPodIsLeftOutAlone) {
  Columns columns;
  columns.template_ids[0] = 5;
  expect_first_refused(columns, "pod bad: template 5 was not defined");
  columns = {};
  columns.namespace_indices[0] = 2;
  expect_first_refused(columns, "pod bad: namespace 2 is not one of the 2 of the frame");
  columns = {};
  columns.namespace_indices[0] = 1;
  expect_first_refused(columns, "pod bad: has no namespace");
  columns = {};
  columns.name_lengths[0] = 0;
  columns.names = "pod";
  expect_first_refused(columns, "has no name");
  columns = {};
  columns.names =
      "b\xff"
      "dpod";
  expect_first_refused(columns, "name is not UTF-8");
  columns = {};
  columns.uids =
      "\xff"
      "2";
  expect_first_refused(columns, "pod bad: uid is not UTF-8");
  columns = {};
  columns.label_key_indices[1] = 7;
  expect_first_refused(columns, "pod bad: label key 7 is not one of the 2 of the frame");
  columns = {};
  columns.label_key_indices[1] = 0;
  expect_first_refused(columns, "pod bad: label keys are not ascending");
  columns = {};
  columns.label_values =
      "\xff"
      "234";
  expect_first_refused(columns, "pod bad: a label's value is not UTF-8");
  columns = {};
  columns.controller_indices[0] = 3;
  expect_first_refused(columns, "pod bad: controller 3 is not one of the 2 of the frame");
  columns = {};
  columns.controllers[1] = "\xff";
  expect_first_refused(columns, "pod bad: controllers[1].name is not UTF-8");
  columns = {};
  columns.controllers[0] = "\xff";  // used by no pod
  EXPECT_THAT(columns.faults(), IsEmpty());
}

TEST(StreamRefusal, ACharacterAcrossTwoNamesSpoilsBoth) {
  Columns columns;
  columns.names = "ba\xc3\xa9od";  // the names are "ba\xc3" and "\xa9od"
  EXPECT_THAT(columns.faults(), ElementsAre(HasSubstr("pods[0]: name is not UTF-8"),
                                            HasSubstr("pods[1]: name is not UTF-8")));
}

TEST(StreamRefusal, ColumnsThatDoNotFitSpoilTheFrame) {
  const auto expect = [](const Columns& columns, const std::string& message) {
    EXPECT_THAT(columns.faults(), ElementsAre(HasSubstr(message)));
  };
  Columns columns;
  columns.template_ids.push_back(0);
  expect(columns, "namespace_indices: has 2 elements instead of 3");
  columns = {};
  columns.name_lengths[0] = 4;
  expect(columns, "names: has 6 elements instead of 7");
  columns = {};
  columns.uid_lengths.pop_back();
  expect(columns, "uid_lengths: has 1 elements instead of 2");
  columns = {};
  columns.label_counts[0] = 1;
  expect(columns, "label_key_indices: has 4 elements instead of 3");
  columns = {};
  columns.controller_indices.push_back(0);
  expect(columns, "controller_indices: has 3 elements instead of 2");
  columns = {};
  columns.created_at.pop_back();
  expect(columns, "created_at: has 1 elements instead of 2");
  columns = {};
  columns.label_keys = {"b", "a"};
  expect(columns, "label_keys[1]: is not above the one before");
}

TEST(StreamRefusal, ATemplateThatIsPlacedIsNotForPodsThatWait) {
  MemorySink sink;
  StreamWriter writer(sink);
  model::PodSpec spec;
  spec.node_name = "node-1";
  add_pod(writer, writer.template_id(spec), "pod-1");
  writer.end();
  EXPECT_THAT(read(sink.bytes()).faults, ElementsAre(HasSubstr("its pods are placed already")));
}

using Entries = std::vector<flatbuffers::Offset<schema::Entry>>;
using Resources = std::vector<flatbuffers::Offset<schema::Resource>>;

// A frame with a faulty node and a valid one.
std::vector<std::string> faults_of_node(
    const std::function<flatbuffers::Offset<schema::Node>(FlatBufferBuilder&)>& make) {
  const auto fill = [&](FlatBufferBuilder& b) {
    const std::vector nodes = {make(b), schema::CreateNodeDirect(b, "node-2")};
    b.Finish(schema::CreateCluster(b, b.CreateVector(nodes)));
  };
  EXPECT_THAT(read(with_frame(FrameKind::Cluster, fill)).nodes, ElementsAre("node-2"));
  return faults_of(FrameKind::Cluster, fill);
}

TEST(StreamRefusal, ABadNodeIsLeftOutAlone) {
  EXPECT_THAT(faults_of_node([](FlatBufferBuilder& b) { return schema::CreateNode(b); }),
              ElementsAre(HasSubstr("nodes[0].name: is missing")));
  EXPECT_THAT(
      faults_of_node([](FlatBufferBuilder& b) { return schema::CreateNodeDirect(b, "\xff"); }),
      ElementsAre(HasSubstr("nodes[0].name: is not UTF-8")));
  EXPECT_THAT(faults_of_node([](FlatBufferBuilder& b) {
                return schema::CreateNodeDirect(b, std::string(300, 'n').c_str());
              }),
              ElementsAre(HasSubstr("nodes[0].name: is 300 bytes long, more than the 255")));
  EXPECT_THAT(faults_of_node([](FlatBufferBuilder& b) {
                const Entries labels = {schema::CreateEntryDirect(b, "b", "1"),
                                        schema::CreateEntryDirect(b, "a", "1")};
                return schema::CreateNodeDirect(b, "n", &labels);
              }),
              ElementsAre(HasSubstr("nodes[0].labels[1].key: is not above the one before")));
  const auto with_quantity = [](const char* quantity) {
    return [quantity](FlatBufferBuilder& b) {
      const Resources resources = {schema::CreateResourceDirect(b, "cpu", quantity)};
      return schema::CreateNodeDirect(b, "n", nullptr, nullptr, false, nullptr, &resources);
    };
  };
  EXPECT_THAT(faults_of_node(with_quantity("-1")),
              ElementsAre(HasSubstr("nodes[0].allocatable[0].quantity: -1 is negative")));
  EXPECT_THAT(
      faults_of_node(with_quantity("lots")),
      ElementsAre(HasSubstr("nodes[0].allocatable[0].quantity: \"lots\" is not a quantity")));
  EXPECT_THAT(faults_of_node([](FlatBufferBuilder& b) {
                const std::vector images = {schema::CreateNodeImageDirect(b, nullptr, -5)};
                return schema::CreateNodeDirect(b, "n", nullptr, nullptr, false, nullptr, nullptr,
                                                &images);
              }),
              ElementsAre(HasSubstr("nodes[0].images[0].size_bytes: -5 is negative")));
}

TEST(StreamRefusal, ABadSelectorOwnerIsLeftOutAlone) {
  using schema::SelectorOwnerKind;
  const auto faults = [](const std::function<flatbuffers::Offset<schema::SelectorOwner>(
                             FlatBufferBuilder&)>& make) {
    const auto fill = [&](FlatBufferBuilder& b) {
      const std::vector sets = {
          make(b), schema::CreateSelectorOwnerDirect(b, SelectorOwnerKind::Service, "set-2", "ns")};
      b.Finish(schema::CreateCluster(b, 0, 0, 0, b.CreateVector(sets)));
    };
    EXPECT_THAT(read(with_frame(FrameKind::Cluster, fill)).selector_owners, ElementsAre("set-2"));
    return faults_of(FrameKind::Cluster, fill);
  };
  const auto with = [](SelectorOwnerKind kind, const char* name, const char* space) {
    return [=](FlatBufferBuilder& b) {
      return schema::CreateSelectorOwnerDirect(b, kind, name, space);
    };
  };
  EXPECT_THAT(faults(with(SelectorOwnerKind::None, "a", "ns")),
              ElementsAre(HasSubstr("selector_owners[0].kind: is missing")));
  EXPECT_THAT(faults(with(static_cast<SelectorOwnerKind>(5), "a", "ns")),
              ElementsAre(HasSubstr(
                  "selector_owners[0].kind: 5 is not a kind of object that selects pods")));
  EXPECT_THAT(faults(with(SelectorOwnerKind::ReplicaSet, nullptr, "ns")),
              ElementsAre(HasSubstr("selector_owners[0].name: is missing")));
  EXPECT_THAT(faults(with(SelectorOwnerKind::ReplicaSet, "a", "")),
              ElementsAre(HasSubstr("selector_owners[0].namespace_name: is missing")));
  EXPECT_THAT(faults([](FlatBufferBuilder& b) {
                const Entries labels = {schema::CreateEntryDirect(b, "b", "1"),
                                        schema::CreateEntryDirect(b, "a", "1")};
                const auto selector = schema::CreateLabelSelectorDirect(b, &labels);
                return schema::CreateSelectorOwnerDirect(b, SelectorOwnerKind::ReplicaSet, "a",
                                                         "ns", selector);
              }),
              ElementsAre(HasSubstr(
                  "selector_owners[0].selector.match_labels[1].key: is not above the one before")));
}

TEST(StreamRefusal, ABadDisruptionBudgetIsLeftOut) {
  using schema::UnhealthyPods;
  using Amount = std::optional<model::PodAmount>;
  const auto faults = [](const Amount& least, const Amount& most, UnhealthyPods unhealthy) {
    return faults_of(FrameKind::Cluster, [&](FlatBufferBuilder& b) {
      const auto amount = [&](const Amount& pods) {
        return pods ? schema::CreatePodAmount(b, pods->number, pods->percent)
                    : flatbuffers::Offset<schema::PodAmount>();
      };
      const auto lower = amount(least), upper = amount(most);
      const std::vector budgets = {schema::CreateDisruptionBudgetDirect(b, "b", "ns", 0, 0, nullptr,
                                                                        lower, upper, unhealthy)};
      const auto all = b.CreateVector(budgets);
      schema::ClusterBuilder cluster(b);
      cluster.add_disruption_budgets(all);
      b.Finish(cluster.Finish());
    });
  };
  const Amount one = model::PodAmount{1, false}, negative = model::PodAmount{-1, false};
  const Amount too_many = model::PodAmount{101, true};
  EXPECT_THAT(faults(one, {}, UnhealthyPods::AlwaysAllow), IsEmpty());
  EXPECT_THAT(faults(negative, {}, UnhealthyPods::AlwaysAllow),
              ElementsAre(HasSubstr("disruption_budgets[0].min_available: is out of range")));
  EXPECT_THAT(faults({}, too_many, UnhealthyPods::AlwaysAllow),
              ElementsAre(HasSubstr("disruption_budgets[0].max_unavailable: is out of range")));
  EXPECT_THAT(faults(one, one, UnhealthyPods::AlwaysAllow),
              ElementsAre(HasSubstr("disruption_budgets[0].max_unavailable: is beside")));
  EXPECT_THAT(faults(one, {}, static_cast<UnhealthyPods>(2)),
              ElementsAre(HasSubstr("disruption_budgets[0].unhealthy_pods: 2 is not a policy")));
}

TEST(StreamRefusal, ABadTemplateIsLeftOutAlone) {
  const auto fault =
      [](uint32_t id,
         const std::function<flatbuffers::Offset<schema::PodSpec>(FlatBufferBuilder&)>& make) {
        return faults_of(FrameKind::Templates, [&](FlatBufferBuilder& b) {
          const std::vector all = {schema::CreateTemplate(b, id, make(b))};
          b.Finish(schema::CreateTemplates(b, b.CreateVector(all)));
        });
      };
  const auto empty = [](FlatBufferBuilder& b) { return schema::CreatePodSpec(b); };
  EXPECT_THAT(fault(1, empty), IsEmpty());
  EXPECT_THAT(fault(0, empty),
              ElementsAre(HasSubstr("templates[0].id: template 0 is there already")));
  EXPECT_THAT(fault(1 << 20, empty), ElementsAre(HasSubstr("templates[0].id: 1048576 is above")));
  EXPECT_THAT(fault(1, [](FlatBufferBuilder&) { return flatbuffers::Offset<schema::PodSpec>(); }),
              ElementsAre(HasSubstr("templates[0].spec: is missing")));
  EXPECT_THAT(fault(1,
                    [](FlatBufferBuilder& b) {
                      const std::vector ports = {
                          schema::CreateContainerPortDirect(b, nullptr, "TCP", 65'536)};
                      const std::vector containers = {
                          schema::CreateContainerDirect(b, "c", nullptr, nullptr, &ports)};
                      const auto all = b.CreateVector(containers);
                      schema::PodSpecBuilder spec(b);
                      spec.add_containers(all);
                      return spec.Finish();
                    }),
              ElementsAre(HasSubstr(
                  "templates[0].spec.containers[0].ports[0].host_port: 65536 is not a port")));
}

// Two events, the first of which is faulty.
std::vector<std::string> faults_of_event(
    const std::function<flatbuffers::Offset<schema::Event>(FlatBufferBuilder&)>& make) {
  const auto fill = [&](FlatBufferBuilder& b) {
    const std::vector events = {
        make(b),
        schema::CreateEventDirect(b, schema::EventKind::NodeDeleted, 0, 0, 0, nullptr, "n")};
    b.Finish(schema::CreateEvents(b, b.CreateVector(events)));
  };
  EXPECT_EQ(read(with_frame(FrameKind::Events, fill)).events, 1u);
  return faults_of(FrameKind::Events, fill);
}

TEST(StreamRefusal, ABadEventIsLeftOutAlone) {
  using schema::EventKind;
  const auto pod_event = [](EventKind kind, uint32_t id, const char* node, schema::PodPhase phase) {
    return [=](FlatBufferBuilder& b) {
      const auto pod = schema::CreatePodDirect(b, id, "ns", "p", nullptr, node, nullptr, phase);
      return schema::CreateEvent(b, kind, 0, pod);
    };
  };
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) { return schema::CreateEvent(b); }),
              ElementsAre(HasSubstr("events[0].kind: 0 is not a kind of event")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                return schema::CreateEvent(b, static_cast<EventKind>(77));
              }),
              ElementsAre(HasSubstr("events[0].kind: 77 is not a kind of event")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                return schema::CreateEvent(b, EventKind::SelectorOwnerAdded);
              }),
              ElementsAre(HasSubstr("events[0].selector_owner: is missing")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                return schema::CreateEventDirect(b, EventKind::SelectorOwnerDeleted, 0, 0, 0, "ns",
                                                 "n");
              }),
              ElementsAre(HasSubstr("events[0].selector_owner_kind: is missing")));
  EXPECT_THAT(
      faults_of_event([](FlatBufferBuilder& b) {
        return schema::CreateEventDirect(b, EventKind::PodDeleted, 0, 0, 0, "ns", "n", 0,
                                         schema::SelectorOwnerKind::Service);
      }),
      ElementsAre(HasSubstr(
          "events[0].selector_owner_kind: does not belong to an event of kind PodDeleted")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                const auto set = schema::CreateSelectorOwnerDirect(
                    b, schema::SelectorOwnerKind::Service, "a", "ns");
                return schema::CreateEventDirect(b, EventKind::PodDeleted, 0, 0, 0, "ns", "n", set);
              }),
              ElementsAre(HasSubstr(
                  "events[0].selector_owner: does not belong to an event of kind PodDeleted")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                return schema::CreateEvent(b, EventKind::NodeAdded);
              }),
              ElementsAre(HasSubstr("events[0].node: is missing")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                return schema::CreateEventDirect(b, EventKind::NodeDeleted, 0, 0, 0, "ns", "n");
              }),
              ElementsAre(HasSubstr(
                  "events[0].namespace_name: does not belong to an event of kind NodeDeleted")));
  EXPECT_THAT(faults_of_event(pod_event(EventKind::PodPlaced, 9, "n", schema::PodPhase::Running)),
              ElementsAre(HasSubstr("events[0].template_id: template 9 was not defined")));
  EXPECT_THAT(faults_of_event(pod_event(EventKind::PodPlaced, 0, "", schema::PodPhase::Running)),
              ElementsAre(HasSubstr("events[0].pod.node_name: is missing")));
  EXPECT_THAT(faults_of_event(pod_event(EventKind::PodPlaced, 0, "n", schema::PodPhase::Failed)),
              ElementsAre(HasSubstr("events[0].pod.phase: says that the pod is finished")));
  EXPECT_THAT(
      faults_of_event(pod_event(EventKind::PodUpdated, 0, "n", static_cast<schema::PodPhase>(9))),
      ElementsAre(HasSubstr("events[0].phase: 9 is not a phase")));
  EXPECT_THAT(faults_of_event([](FlatBufferBuilder& b) {
                const auto space = b.CreateString("ns");
                const auto name = b.CreateString("p");
                schema::PodBuilder pod(b);
                pod.add_namespace_name(space);
                pod.add_name(name);
                pod.add_ready(static_cast<schema::PodReady>(3));
                return schema::CreateEvent(b, EventKind::PodUpdated, 0, pod.Finish());
              }),
              ElementsAre(HasSubstr("events[0].ready: 3 is no status of Ready")));
}

TEST(StreamRefusal, ABadBindingIsLeftOutAlone) {
  const auto fill = [](FlatBufferBuilder& b) {
    const std::vector<uint8_t> lengths = {1, 1};
    const std::vector<uint8_t> names = {'a', 'b'};
    const std::vector<uint8_t> node_lengths = {0, 1};
    const std::vector<uint8_t> nodes = {'n'};
    b.Finish(schema::CreateBindings(b, b.CreateVector(lengths), b.CreateVector(names),
                                    b.CreateVector(lengths), b.CreateVector(names),
                                    b.CreateVector(node_lengths), b.CreateVector(nodes)));
  };
  EXPECT_THAT(faults_of(FrameKind::Bindings, fill),
              ElementsAre(HasSubstr("bindings[0]: has no node")));
  EXPECT_THAT(read(with_frame(FrameKind::Bindings, fill)).bindings, ElementsAre("b"));
}

}  // namespace
}  // namespace berth::ingest
