#include "loadgen/import/import_openb.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "loadgen/import/openb_load.h"
#include "loadgen/import/testing.h"

namespace berth::loadgen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using testing_imports::lines_of;

constexpr char kNodes[] =
    "sn,cpu_milli,memory_mib,gpu,model\n"
    "node-a,32000,1024,0,\n"
    "node-b,64000,2048,2,V100M16\n";
constexpr char kPods[] =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n"
    "late,1000,1,0,0,,LS,Running,30,100,31\n"
    "first,500,2,1,460,V100M16|T4,LS,Failed,5,30,6\n"
    "short,500,2,2,1000,,BE,Pending,5,5,\n"
    "last,500,2,0,0,,BE,Running,40,90,41\n";

openb::TracePods pods_of(const std::string& text) {
  Diagnostics diagnostics;
  openb::TracePods pods = openb::read_pods(text, "pods.csv", diagnostics);
  EXPECT_EQ(diagnostics.count(), 0u);
  return pods;
}

std::vector<std::string> played(openb::LoadOptions options) {
  Diagnostics diagnostics;
  openb::TraceLoad load(openb::read_nodes(kNodes, "nodes.csv", diagnostics), pods_of(kPods),
                        options, "note");
  return lines_of(load);
}

TEST(Openb, PodsComeAndGoAsInTheTrace) {
  EXPECT_THAT(played({}),
              ElementsAre("0ms node node-a kubernetes.io/hostname=node-a",
                          "0ms node node-b alibabacloud.com/gpu-card-model=V100M16 "
                          "kubernetes.io/hostname=node-b",
                          "5000ms measured pod default/first", "5000ms measured pod default/short",
                          "5000ms -pod default/short", "30000ms -pod default/first",
                          "30000ms measured pod default/late", "40000ms measured pod default/last",
                          "90000ms -pod default/last"))
      << "the one that is there at the end stays";
  openb::LoadOptions stay;
  stay.lifetimes = false;
  EXPECT_EQ(played(stay).size(), 6u);
}

TEST(Openb, GpusAreAPoolOfThousandths) {
  Diagnostics diagnostics;
  const std::vector<openb::TraceNode> nodes = openb::read_nodes(kNodes, "n.csv", diagnostics);
  ASSERT_EQ(nodes.size(), 2u);
  const auto amounts = [](const model::ResourceList& list) {
    std::string text;
    for (const auto& [name, amount] : list) text += name + "=" + amount.to_string() + " ";
    return text;
  };
  EXPECT_EQ(amounts(openb::make_node(nodes[0], 110).allocatable),
            "cpu=32 memory=1073741824 pods=110 ");
  EXPECT_EQ(amounts(openb::make_node(nodes[1], 7).allocatable),
            "alibabacloud.com/gpu-milli=2000 cpu=64 memory=2147483648 pods=7 ");
  const openb::TracePods pods = pods_of(kPods);
  const model::PodSpec share = openb::make_spec(pods.pods[0]);
  EXPECT_EQ(amounts(share.containers[0].requests),
            "alibabacloud.com/gpu-milli=460 cpu=500m memory=2097152 ");
  ASSERT_TRUE(share.affinity.node_required);
  const model::Requirement& requirement =
      share.affinity.node_required->terms.at(0).match_expressions.at(0);
  EXPECT_EQ(requirement.key, "alibabacloud.com/gpu-card-model");
  EXPECT_THAT(requirement.values, ElementsAre("V100M16", "T4"));
  EXPECT_EQ(amounts(openb::make_spec(pods.pods[1]).containers[0].requests),
            "alibabacloud.com/gpu-milli=2000 cpu=500m memory=2097152 ");
}

TEST(Openb, ListsWithoutTimesComeAtOnce) {
  const openb::TracePods pods =
      pods_of("name,cpu_milli,memory_mib,num_gpu,gpu_milli\nb,1,1,0,0\r\na,1,1,0,0\n\n");
  EXPECT_FALSE(pods.timed);
  openb::TraceLoad load({}, pods, {}, "note");
  EXPECT_THAT(lines_of(load),
              ElementsAre("0ms measured pod default/b", "0ms measured pod default/a"));
}

TEST(Openb, RowsThatAreWrongAreNamedAndTheOthersStay) {
  Diagnostics diagnostics;
  const openb::TracePods pods = openb::read_pods(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time\n"
      "good,1,1,0,0,1,2\n"
      "few,1\n"
      "many,1,1,0,0,1,2,3\n"
      "bad,one,1,0,0,1,2\n"
      "bad,-1,1,0,0,1,2\n"
      "bad,99999999999999999999,1,0,0,1,2\n"
      "Bad,1,1,0,0,1,2\n"
      ",1,1,0,0,1,2\n"
      "good,1,1,0,0,1,2\n"
      "bad,1,1,2,500,1,2\n"
      "bad,1,1,0,500,1,2\n"
      "bad,1,1,0,0,3,2\n"
      "\"bad\",1,1,0,0,1,2\n"
      "good2,1,1,0,0,1,",
      "p.csv", diagnostics);
  ASSERT_EQ(pods.pods.size(), 1u);
  std::vector<std::string> errors;
  for (const Error& error : diagnostics.kept()) errors.emplace_back(error.what());
  EXPECT_THAT(errors,
              ElementsAre(HasSubstr("p.csv:3:5: expected 7 fields, found 2"),
                          HasSubstr("p.csv:4:18: expected 7 fields, found 8"),
                          HasSubstr("p.csv:5:5: cpu_milli: expected a whole number"),
                          HasSubstr("p.csv:6:5: cpu_milli: expected a whole number"),
                          HasSubstr("p.csv:7:5: cpu_milli: expected a whole number"),
                          HasSubstr("p.csv:8:1: name: expected a name"),
                          HasSubstr("p.csv:9:1: name: expected a name"),
                          HasSubstr("p.csv:10:1: name: \"good\" is there already"),
                          HasSubstr("p.csv:11:11: gpu_milli: a pod with several GPUs"),
                          HasSubstr("p.csv:12:11: gpu_milli: num_gpu and gpu_milli"),
                          HasSubstr("p.csv:13:15: deletion_time: is before"),
                          HasSubstr("p.csv:14:1: name: expected a name"),
                          HasSubstr("p.csv:15:17: deletion_time: expected a whole number")));
}

TEST(Openb, ListsThatAreNoneAreRefused) {
  Diagnostics diagnostics;
  for (const char* text : {"", "\n", "name,cpu_milli\n", "a,b,c\n1,2,3\n",
                           "name,name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"})
    EXPECT_THROW(openb::read_pods(text, "p.csv", diagnostics), Error) << text;
}

class OpenbFolder : public testing::Test {
 protected:
  OpenbFolder() : folder_(testing::TempDir() + "openb_test-" + std::to_string(::getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~OpenbFolder() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  std::string folder_;
};

TEST_F(OpenbFolder, HasAWorkloadForEachListOfPods) {
  EXPECT_FALSE(is_openb(folder_));
  write("openb_pod_list_b.csv", kPods);
  write("openb_pod_list_a.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\nb,1,1,0,0\n");
  write("openb_pod_list_c.csv", "nothing\n");
  write("openb_node_list_gpu_node.csv", kNodes);
  write("openb_node_list_all_node.csv", kNodes);
  write("LICENSE", "");
  ASSERT_TRUE(is_openb(folder_));
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import_openb(folder_, diagnostics);
  EXPECT_EQ(diagnostics.count(), 1u);
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_EQ(workloads[0].name, "openb/a");
  EXPECT_FALSE(workloads[0].parameters.contains("lifetimes"));
  EXPECT_EQ(workloads[1].name, "openb/b");
  EXPECT_EQ(workloads[1].parameters.at("nodes"), "all_node");
  LoadSettings settings;
  settings.parameters = {{"nodes", "gpu_node"}, {"lifetimes", "false"}, {"podsPerNode", "50"}};
  EXPECT_EQ(lines_of(workloads[1], settings).size(), 6u);
  EXPECT_THAT(workloads[1].open(settings)->note(),
              HasSubstr("lifetimes=false nodes=gpu_node podsPerNode=50; a node's GPUs are one"));
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"nodes", "none"}, {"lifetimes", "yes"}, {"podsPerNode", "0"}, {"other", "1"}}) {
    LoadSettings wrong;
    wrong.parameters = {{name, value}};
    EXPECT_THROW(workloads[1].open(wrong), UsageError) << name;
  }
  ASSERT_TRUE(is_openb(folder_ + "/openb_pod_list_b.csv"));
  EXPECT_EQ(import_openb(folder_ + "/openb_pod_list_b.csv", diagnostics).size(), 1u);
  EXPECT_FALSE(is_openb(folder_ + "/openb_node_list_all_node.csv"));
}

TEST_F(OpenbFolder, NeedsNodes) {
  write("openb_pod_list_b.csv", kPods);
  Diagnostics diagnostics;
  EXPECT_TRUE(import_openb(folder_, diagnostics).empty());
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_THAT(diagnostics.kept()[0].what(), HasSubstr("has no list of nodes"));
}

TEST_F(OpenbFolder, ListsWithoutAUsableRowAreNoWorkloads) {
  write("openb_node_list_all_node.csv", kNodes);
  write("openb_pod_list_b.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,x,1,0,0\n");
  Diagnostics diagnostics;
  EXPECT_TRUE(import_openb(folder_, diagnostics).empty());
  ASSERT_EQ(diagnostics.count(), 2u);
  EXPECT_THAT(diagnostics.kept()[0].what(), HasSubstr("openb_pod_list_b.csv:2:3: cpu_milli"));
  EXPECT_THAT(diagnostics.kept()[1].what(), HasSubstr("has no row of a pod that can be used"));
  write("openb_node_list_all_node.csv", "sn,cpu_milli,memory_mib,gpu,model\n");
  Diagnostics of_nodes;
  EXPECT_TRUE(import_openb(folder_, of_nodes).empty());
  ASSERT_EQ(of_nodes.count(), 2u);
  EXPECT_THAT(of_nodes.kept()[0].what(), HasSubstr("has no row of a node that can be used"));
}

TEST_F(OpenbFolder, NamesTheFilesThatItReads) {
  write("openb_pod_list_b.csv", kPods);
  write("openb_node_list_all_node.csv", kNodes);
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import_openb(folder_, diagnostics);
  ASSERT_EQ(workloads.size(), 1u);
  EXPECT_THAT(workloads[0].files, UnorderedElementsAre(folder_ + "/openb_pod_list_b.csv",
                                                       folder_ + "/openb_node_list_all_node.csv"));
}

TEST(Openb, TheTraceItself) {
  const std::string folder = BERTH_SHARED_DIR "/traces/openb";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  Diagnostics diagnostics;
  const std::vector<Workload> workloads = import_openb(folder, diagnostics);
  EXPECT_EQ(diagnostics.count(), 0u);
  std::vector<std::string> names;
  for (const Workload& workload : workloads) names.push_back(workload.name);
  ASSERT_THAT(names,
              ElementsAre("openb/cpu100", "openb/default", "openb/gpushare40", "openb/multigpu30"));
  const std::unique_ptr<Load> load = workloads[1].open({});
  LoadStep step;
  uint64_t nodes = 0, pods = 0, deleted = 0, gpu_shares = 0;
  std::vector<bool> shares;
  while (load->next(step)) {
    nodes += step.cluster.size();
    pods += step.pods.size();
    deleted += step.events.size();
    for (const ingest::TemplateDefinition& definition : step.templates) {
      const auto& [name, amount] = definition.spec->containers.at(0).requests.at(0);
      shares.push_back(name == openb::kGpuMilli && amount.value() < 1000);
    }
    for (const uint32_t id : step.pods.template_ids) gpu_shares += shares.at(id);
  }
  EXPECT_EQ(nodes, 1523u);
  EXPECT_EQ(pods, 8152u);
  EXPECT_EQ(shares.size(), 151u) << "request shapes";
  EXPECT_EQ(gpu_shares, 3078u) << "pods that ask for part of a GPU";
  EXPECT_LT(deleted, pods);
  EXPECT_GT(deleted, 0u);
}

}  // namespace
}  // namespace berth::loadgen
