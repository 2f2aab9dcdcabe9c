#include "engine/ingest/watch/watch_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "engine/base/sanitized.h"

namespace berth::ingest {
namespace {

std::string line(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}
std::string named(const std::string& kind, const std::string& name, const std::string& more = "") {
  const std::string version = kind == "StatefulSet" ? "apps/v1" : "v1";
  return R"({"apiVersion":")" + version + R"(","kind":")" + kind + R"(","metadata":{"name":")" +
         name + "\"}" + more + "}";
}

// As "added Node n".
std::string in_short(const Change& change) {
  constexpr std::string_view kOperations[] = {"added ", "modified ", "deleted "};
  const auto* pod = std::get_if<TemplatePod>(&change.object);
  std::string text(kOperations[static_cast<size_t>(change.operation)]);
  if (pod != nullptr && pod->finished()) text = "finished ";
  return text + std::string(kind_of(change.object)) + " " + full_name(change.object);
}

// The output, batch by batch, in short.
struct Read {
  explicit Read(const std::string& text, size_t piece = SIZE_MAX) {
    MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "in", piece);
    WatchStream watch(source, diagnostics, false);
    Batch batch;
    while (watch.next(batch)) take(batch);
    EXPECT_EQ(batch.kind, BatchKind::kEnd);
    rejected = watch.rejected_pods();
  }

  void take(const Batch& batch) {
    if (batch.kind == BatchKind::kCluster)
      said += "cluster:" + std::to_string(batch.changes.size()) + " ";
    if (batch.kind == BatchKind::kEvents)
      for (const Change& change : batch.changes) said += in_short(change) + " ";
    if (batch.kind == BatchKind::kTime) said += "at:" + std::to_string(batch.at) + " ";
    if (batch.kind == BatchKind::kPods) said += "pods:" + std::to_string(batch.pods.size()) + " ";
  }

  std::vector<std::string> errors() const {
    std::vector<std::string> list;
    for (const Error& error : diagnostics.kept()) list.push_back(error.what());
    return list;
  }

  Diagnostics diagnostics;
  std::string said;
  uint64_t rejected = 0;
};

TEST(WatchStream, IsToldFromObjectsByItsBeginning) {
  EXPECT_EQ(begins_like_watch(R"({"type":"ADDED")"), true);
  EXPECT_EQ(begins_like_watch("\n { \"type\" :"), true);
  EXPECT_EQ(begins_like_watch(R"({"object":{"apiVersion":"v1")"), true);
  EXPECT_EQ(begins_like_watch("\xef\xbb\xbf{\n    \"type\""), true);
  EXPECT_EQ(begins_like_watch(R"({"apiVersion":"v1","type":1})"), false);
  EXPECT_EQ(begins_like_watch("kind: Pod"), false);
  EXPECT_EQ(begins_like_watch("{}"), false);
  for (const char* text : {"", " \n", "{", "{ ", "{\"ty", "{\"kin"})
    EXPECT_EQ(begins_like_watch(text), std::nullopt) << text;
}

TEST(WatchStream, TellsWhenThingsHappen) {
  const auto timed = [](const std::string& time, const std::string& event) {
    std::string text = event;
    return text.insert(1, "\"type\":\"ADDED\",\"time\":" + time + ",");
  };
  const std::string pod = "{\"object\":" + named("Pod", "p") + "}\n";
  const std::string node = "{\"object\":" + named("Node", "n") + "}\n";
  const Read read(line("ADDED", named("Node", "a")) + line("ADDED", named("Pod", "q")) +
                  timed("\"1.5s\"", pod) + timed("\"1m\"", node));
  EXPECT_EQ(read.errors(), std::vector<std::string>());
  EXPECT_EQ(read.said, "cluster:1 pods:1 at:1500000000 pods:1 at:60000000000 added Node n ");
  for (const char* wrong : {"\"soon\"", "5", "\"-1s\"", "\"87601h\""}) {
    const Read one(timed(wrong, node));
    EXPECT_EQ(one.said, "") << wrong;
    ASSERT_EQ(one.errors().size(), 1u) << wrong;
    EXPECT_EQ(one.errors()[0],
              "in:1:24: time: expected a time of the run from 0s to 87600h, such as 90s or 1h15m")
        << wrong;
  }
}

TEST(WatchStream, PartsTheClusterFromWhatHappensAndPodsByBookmarks) {
  const std::string text =
      line("ADDED", named("Node", "n")) + line("ADDED", named("StatefulSet", "s")) +
      line("ADDED", named("Pod", "there", R"(,"spec":{"nodeName":"n"})")) +
      line("ADDED", named("Pod", "a")) + line("ADDED", named("Pod", "b")) +
      line("BOOKMARK", named("Pod", "")) + line("ADDED", named("Pod", "c")) +
      line("ADDED", named("Node", "m")) + line("MODIFIED", named("Node", "n")) +
      line("DELETED", named("Node", "n")) + line("DELETED", named("Pod", "a")) +
      line("MODIFIED", named("Pod", "b", R"(,"status":{"phase":"Succeeded"})")) +
      line("ADDED", named("Namespace", "x")) + line("ADDED", named("Service", "s"));
  const std::string expected =
      "cluster:1 cluster:1 cluster:1 pods:2 pods:1 added Node m modified Node n deleted Node n "
      "deleted Pod default/a finished Pod default/b added Namespace x added Service default/s ";
  for (const size_t piece : {size_t{1}, size_t{7}, SIZE_MAX}) {
    const Read read(text, piece);
    EXPECT_EQ(read.errors(), std::vector<std::string>());
    EXPECT_EQ(read.said, expected) << piece;
  }
}

TEST(WatchStream, AnEvictionHappens) {
  const std::string request =
      R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p","namespace":"n"}})";
  const Read read(line("ADDED", named("Node", "n")) + line("ADDED", request) +
                  line("MODIFIED", request) + line("ADDED", named("Node", "m")));
  EXPECT_EQ(read.said, "cluster:1 added Eviction n/p added Node m ");
  EXPECT_EQ(read.errors(),
            std::vector<std::string>({"in:3:29: an Eviction is asked for once, with type ADDED"}));
}

TEST(WatchStream, SharesATemplateAmongPodsWithNamesOfTheirOwn) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "s-" + std::to_string(i);
    text += line("ADDED", R"({"kind":"Pod","metadata":{"name":")" + name +
                              R"(","labels":{"app":"s","statefulset.kubernetes.io/pod-name":")" +
                              name + R"("}}})");
  }
  Diagnostics diagnostics;
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  WatchStream watch(source, diagnostics, true);
  Batch batch;
  size_t templates = 0;
  while (watch.next(batch)) {
    if (batch.kind == BatchKind::kTemplates) templates += batch.templates.size();
    if (batch.kind != BatchKind::kPods) continue;
    ASSERT_EQ(batch.pods.labels.size(), 3u);
    EXPECT_EQ(batch.pods.labels[2].second, "s-2");
  }
  EXPECT_EQ(templates, 1u);
}

// Of a watch without an end: more templates than are kept, and some that come again and again.
TEST(WatchStream, KeepsTheTemplatesThatAreUsed) {
  const auto pod = [](const std::string& name, int64_t priority) {
    return line("ADDED",
                named("Pod", name, R"(,"spec":{"priority":)" + std::to_string(priority) + "}")) +
           line("BOOKMARK", named("Pod", ""));
  };
  std::string text;
  const int64_t pods = (kSanitized ? 3 : 6) * TemplateIds::kKept, again = 100;
  for (int64_t i = 1; i <= pods; ++i)
    text += pod("a" + std::to_string(i), i) + pod("b" + std::to_string(i), -(i % again));
  Diagnostics diagnostics;
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  WatchStream watch(source, diagnostics, true);
  Batch batch;
  std::map<uint32_t, int64_t> priorities;
  size_t most = 0, defined = 0;
  int64_t seen = 0;
  while (watch.next(batch)) {
    if (batch.kind == BatchKind::kTemplates) {
      for (const uint32_t id : batch.retired_templates) EXPECT_EQ(priorities.erase(id), 1u);
      for (const auto& [id, spec] : batch.templates)
        priorities[id] = spec->priority.value_or(1 << 30);
      defined += batch.templates.size();
      most = std::max(most, priorities.size());
    }
    if (batch.kind != BatchKind::kPods) continue;
    ++seen;
    const int64_t i = (seen + 1) / 2;
    EXPECT_EQ(priorities.at(batch.pods.template_ids[0]), seen % 2 == 1 ? i : -(i % again));
  }
  EXPECT_EQ(seen, 2 * pods);
  EXPECT_EQ(defined, static_cast<size_t>(pods + again)) << "those that come again stay";
  EXPECT_LE(most, 2 * (TemplateIds::kKept + static_cast<size_t>(again)));
}

TEST(WatchStream, SaysWhatIsWrongInWhichLineAndReadsTheRest) {
  const Read read(line("ADDED", named("Pod", "a")) + "nonsense\n" +
                  line("GREW", named("Pod", "b")) + "\n" +
                  line("ADDED", named("Pod", "c", R"(,"spec":{"priority":"high"})")) +
                  line("ADDED", named("Secret", "d")) + line("ADDED", "5") +
                  R"({"type":"ADDED","object":{"kind":"Po)");
  EXPECT_EQ(read.said, "pods:1 ");
  ASSERT_EQ(read.errors().size(), 5u);
  EXPECT_EQ(read.errors()[0].substr(0, 5), "in:2:");
  EXPECT_EQ(read.errors()[1].substr(0, 5), "in:3:");
  EXPECT_EQ(read.errors()[2],
            "in:5:101: object.spec.priority: expected a number, found the string \"high\"");
  EXPECT_EQ(read.errors()[4].substr(0, 5), "in:8:");
}

TEST(WatchStream, OnlyPodsCountAsRejectedPods) {
  const Read read(line("ADDED", named("Pod", "c", R"(,"spec":{"priority":"high"})")) +
                  line("ADDED", named("Node", "n", R"(,"spec":{"taints":5})")) +
                  line("ADDED", R"({"kind":"Eviction","metadata":{}})") +
                  line("MODIFIED", R"({"kind":"KubeletConfiguration","evictionHard":5})") +
                  "nonsense\n");
  EXPECT_EQ(read.errors().size(), 5u);
  EXPECT_EQ(read.rejected, 2u) << "what cannot be read may have been a pod";
}

TEST(WatchStream, RemarksOnConditionsDrainsAndMeasuresThatChange) {
  const std::string drained = R"({"kind":"Node","metadata":{"name":"n",)"
                              R"("annotations":{"berth/drain":"","berth/kubelet":"stopped"}},)"
                              R"("status":{"conditions":[{"type":"Ready","status":"False"}]}})";
  const std::string text =
      line("ADDED", named("Node", "n")) + line("MODIFIED", drained) + line("MODIFIED", drained) +
      line("MODIFIED",
           R"({"apiVersion":"metrics.k8s.io/v1beta1","kind":"NodeMetrics",)"
           R"("metadata":{"name":"n"},"usage":{"memroy":"1Gi","cpu":"1","berth/pids":"5"}})");
  Diagnostics diagnostics;
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  WatchStream watch(source, diagnostics, true);
  Batch batch;
  while (watch.next(batch)) continue;
  EXPECT_EQ(watch.remarks().drained_nodes.count, 1u);
  EXPECT_EQ(watch.remarks().silent_nodes.count, 1u);
  EXPECT_EQ(watch.remarks().untainted_nodes.examples, std::vector<std::string>{"n (Ready=False)"});
  EXPECT_EQ(watch.remarks().unread_usage, std::set<std::string>{"memroy"});
}

// More than a frame can hold. The lines around them are read, and faults keep their places.
TEST(WatchStream, ObjectsMayBeLargerThanFrames) {
  const std::string value(size_t{3} << 19, 'x');
  const auto large = [&](const std::string& kind, const std::string& name,
                         const std::string& more = "") {
    return R"({"apiVersion":"v1","kind":")" + kind + R"(","metadata":{"name":")" + name +
           R"(","annotations":{"a":")" + value + "\"}}" + more + "}";
  };
  std::string terms;
  for (int i = 0; i < 20'000; ++i)
    terms += (i == 0 ? R"({"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"a)"
                     : R"(,{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"a)") +
             std::to_string(i) + "\"}}}";
  const auto many = [&](const std::string& more) {
    return R"(,"spec":{)" + more +
           R"("affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[)" +
           terms + "]}}}";
  };
  const std::string placed = named("Pod", "there", many(R"("nodeName":"n",)"));
  const std::string pod = named("Pod", "many", many(""));
  ASSERT_GT(pod.size(), size_t{1} << 20);
  const Read read(line("ADDED", large("Node", "n")) + line("ADDED", placed) + line("ADDED", pod) +
                  line("GREW", pod) + line("MODIFIED", pod) + "nonsense\n" +
                  line("MODIFIED", large("Node", "n")) + line("ADDED", named("Pod", "a")));
  EXPECT_EQ(read.said,
            "cluster:1 cluster:1 pods:1 modified Pod default/many modified Node n pods:1 ");
  ASSERT_EQ(read.errors().size(), 2u);
  EXPECT_EQ(read.errors()[0].substr(0, 5), "in:4:");
  EXPECT_EQ(read.errors()[1].substr(0, 5), "in:6:");
}

// The columns of a batch are those of its pods, whoever holds the batch.
TEST(WatchStream, ABatchOwnsItsPods) {
  const auto pod = [](const std::string& name, const std::string& metadata,
                      const std::string& spec = "") {
    return line("ADDED", R"({"kind":"Pod","metadata":{"name":")" + name + "\"" + metadata +
                             R"(},"spec":{)" + spec + "}}");
  };
  const std::string controller =
      R"(,"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"u","controller":true}])";
  const std::string claim =
      R"("volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c-1"}}])";
  const std::string text = pod("a", "") +
                           pod("b", R"(,"namespace":"x","labels":{"job-name":"j"})") +
                           pod("c", R"(,"uid":"u-c")" + controller, claim) + pod("d", controller) +
                           line("DELETED", named("Pod", "a", R"(,"spec":{"priority":1})"));
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  Diagnostics diagnostics;
  WatchStream watch(source, diagnostics, true);
  Batch templates, first, gone;
  ASSERT_TRUE(watch.next(templates));
  ASSERT_TRUE(watch.next(first));
  ASSERT_TRUE(watch.next(gone));
  Batch batch;
  std::swap(batch, first);  // as a ring does
  const PodBatch& pods = batch.pods;
  ASSERT_EQ(templates.templates.size(), 2u);
  EXPECT_EQ(pods.names, (std::vector<std::string_view>{"a", "b", "c", "d"}));
  EXPECT_EQ(pods.template_ids, (std::vector<uint32_t>{0, 0, 1, 0}));
  EXPECT_EQ(pods.namespace_of(0), "default");
  EXPECT_EQ(pods.namespace_of(1), "x");
  EXPECT_EQ(pods.namespace_of(3), "default");
  EXPECT_EQ(pods.uids, (std::vector<std::string_view>{"", "", "u-c", ""}));
  EXPECT_EQ(pods.label_ends, (std::vector<uint32_t>{0, 1, 1, 1}));
  EXPECT_EQ(pods.claim_ends, (std::vector<uint32_t>{0, 0, 1, 1}));
  EXPECT_EQ(pods.claims, std::vector<std::string_view>{"c-1"});
  EXPECT_EQ(pods.controller_indices, (std::vector<uint32_t>{0, 0, 1, 1}));
  EXPECT_TRUE(pods.nominated_nodes.empty() && pods.created_at.empty());
  const model::Pod third = pod_of(pods, 2, *templates.templates[1].spec);
  EXPECT_EQ(third.spec.volumes.at(0).claim, "c-1");
  EXPECT_EQ(third.controller.value().name, "j");
  EXPECT_EQ(in_short(gone.changes.at(0)), "deleted Pod default/a");
  EXPECT_EQ(std::get<TemplatePod>(gone.changes[0].object).spec, nullptr);
}

TEST(WatchStream, PassesOverLinesThatAreTooLong) {
  const Read read(std::string(WatchStream::kMaxEvent + 5, 'x') + "\n" +
                  line("ADDED", named("Pod", "a")));
  EXPECT_EQ(read.said, "pods:1 ");
  EXPECT_EQ(read.errors(), std::vector<std::string>{"in:1: the event has more than 4194304 bytes"});
}

TEST(WatchStream, AnEventMayTakeSeveralLines) {
  const std::string pretty =
      "{\n    \"type\": \"ADDED\",\n    \"object\": {\n        \"kind\": \"Pod\",\n"
      "        \"metadata\": {\"name\": \"}{\\\"\"}\n    }\n}\n";
  const std::string broken = "{\n    \"type\": [\n    {\"x\" 1},\n";
  for (const size_t piece : {size_t{1}, size_t{7}, SIZE_MAX}) {
    const Read read(pretty + broken + pretty + "{\"type\": \"open\n" + pretty, piece);
    EXPECT_EQ(read.said, "pods:3 ");
    ASSERT_EQ(read.errors().size(), 2u);
    EXPECT_EQ(read.errors()[0].substr(0, 6), "in:10:");
    EXPECT_EQ(read.errors()[1].substr(0, 6), "in:18:");
  }
}

TEST(WatchStream, ObjectsKeepTheirLines) {
  const std::string text = line("ADDED", named("Node", "n")) + line("ADDED", named("Pod", "a")) +
                           "\n" + line("ADDED", named("Pod", "b")) +
                           line("DELETED", named("Pod", "x"));
  Diagnostics diagnostics;
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  WatchStream watch(source, diagnostics, false);
  Batch batch;
  std::string said;
  while (watch.next(batch)) {
    if (batch.kind == BatchKind::kTemplates || batch.kind == BatchKind::kEnd) continue;
    EXPECT_EQ(batch.offset, Place::kNoByte);
    for (const uint32_t at : batch.lines) said += std::to_string(at) + " ";
    said += "| ";
  }
  EXPECT_EQ(said, "1 | 2 4 | 5 | ");
}

TEST(WatchStream, AnErrorOfTheApiServerIsReportedInItsWords) {
  const std::string status =
      R"x({"kind":"Status","reason":"Expired","message":"too old resource version: 1 (2)"})x";
  const Read read(line("ADDED", named("Pod", "a")) + line("ERROR", status));
  EXPECT_EQ(read.said, "pods:1 ");
  EXPECT_EQ(read.rejected, 0u);
  ASSERT_EQ(read.errors().size(), 1u);
  EXPECT_NE(read.errors()[0].find("too old resource version: 1 (2) (Expired)"), std::string::npos);
  EXPECT_EQ(read.errors()[0].substr(0, 5), "in:2:");
}

// A pipe with a writer that stays: two lines are there, and no end.
TEST(WatchStream, HandsOnWhatItHasWhenTheInputWaits) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Descriptor writer(ends[1]);
  FileSource source(Descriptor(ends[0]), "pipe");
  const std::string half = line("ADDED", named("Pod", "c"));
  const std::string text =
      line("ADDED", named("Pod", "a")) + line("ADDED", named("Pod", "b")) + half.substr(0, 20);
  ASSERT_EQ(::write(writer.number(), text.data(), text.size()), ssize_t(text.size()));
  Diagnostics diagnostics;
  WatchStream watch(source, diagnostics, false);
  const auto next_pods = [&] {
    Batch batch;
    do {
      if (!watch.next(batch)) return size_t{0};
    } while (batch.kind != BatchKind::kPods);
    return batch.pods.size();
  };
  ::alarm(20);  // ends the test if it waits
  EXPECT_EQ(next_pods(), 2u);
  ASSERT_EQ(::write(writer.number(), half.data() + 20, half.size() - 20),
            ssize_t(half.size() - 20));
  EXPECT_EQ(next_pods(), 1u);
  ::alarm(0);
  EXPECT_EQ(diagnostics.count(), 0u);
}

TEST(WatchStream, OfNothingIsAnEmptyStream) {
  EXPECT_EQ(Read("").said, "");
  EXPECT_EQ(Read("").diagnostics.count(), 0u);
}

// Those at the beginning belong to the cluster, the others happen.
TEST(WatchStream, BringsObjectsOfStorage) {
  const std::string claim =
      R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{}})";
  const std::string driver =
      R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver","metadata":{"name":"d"}})";
  const std::string text = line("ADDED", claim) + line("ADDED", named("Pod", "a")) +
                           line("ADDED", driver) + line("MODIFIED", claim) +
                           line("DELETED", claim) +
                           line("ADDED", R"({"apiVersion":"v1","kind":"PersistentVolume"})");
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "in");
  Diagnostics diagnostics;
  WatchStream watch(source, diagnostics, false);
  std::vector<std::string> said;
  for (Batch batch; watch.next(batch);) {
    const bool of_cluster = batch.kind == BatchKind::kCluster;
    if (!of_cluster && batch.kind != BatchKind::kEvents) continue;
    for (const Change& change : batch.changes)
      said.push_back((of_cluster ? "cluster: " : "") + in_short(change));
  }
  EXPECT_EQ(said, (std::vector<std::string>{"cluster: added PersistentVolumeClaim default/c",
                                            "added CSIDriver d",
                                            "modified PersistentVolumeClaim default/c",
                                            "deleted PersistentVolumeClaim default/c"}));
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_NE(std::string(diagnostics.kept()[0].what())
                .find("in:6:26: object.metadata.name: a PersistentVolume needs a name"),
            std::string::npos)
      << diagnostics.kept()[0].what();
}

// Kinds that are not read, and changes of manifests whose pods were made, are counted and no
// faults.
TEST(WatchStream, CountsWhatIsNotPlayed) {
  const std::string manifest =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w"UID},"spec":{"selector":)"
      R"({"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c"}]}}}})";
  const auto deployment = [&](const std::string& uid) {
    std::string text = manifest;
    return text.replace(text.find("UID"), 3, uid);
  };
  const std::string live = deployment(R"(,"uid":"u")");
  const std::string text =
      line("ADDED", named("Secret", "a")) + line("MODIFIED", named("Secret", "a")) +
      line("ADDED", deployment("")) + line("MODIFIED", deployment("")) + line("ADDED", live) +
      line("MODIFIED", live) + line("ADDED", named("Nod", "a")) + line("ADDED", named("Nod", "b"));
  MemorySource source({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "in");
  Diagnostics diagnostics;
  Creation creation([] { return std::vector<model::Node>(); }, true);
  WatchStream watch(source, diagnostics, false, false, &creation, Validation::kNew1_34);
  size_t pods = 0;
  for (Batch batch; watch.next(batch);)
    pods += batch.kind == BatchKind::kPods ? batch.pods.size() : 0;
  EXPECT_EQ(pods, 1u);
  EXPECT_EQ(diagnostics.count(), 0u);
  EXPECT_EQ(watch.remarks().changed_workloads.examples,
            std::vector<std::string>{"MODIFIED Deployment default/w"});
  EXPECT_EQ(watch.remarks().unread_kinds,
            (std::map<std::string, uint64_t>{{"Deployment", 3}, {"Nod", 2}, {"Secret", 2}}));
  ASSERT_EQ(watch.remarks().near_kinds.size(), 1u);
  EXPECT_TRUE(std::string(watch.remarks().near_kinds.at("Nod").what()).starts_with("in:7:"))
      << watch.remarks().near_kinds.at("Nod").what();
}

}  // namespace
}  // namespace berth::ingest
