// Columns of pods with one element for each container.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/model/cluster/cluster.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::model {
namespace {

class ContainerColumns : public testing::Test {
 protected:
  static Container container(const std::string& name, int64_t milli_cpu, int64_t limit = 0) {
    Container made;
    made.name = name;
    if (milli_cpu != 0) made.requests = {{"cpu", Quantity::from_milli(milli_cpu)}};
    if (limit != 0) made.limits = {{"cpu", Quantity::from_milli(limit)}};
    return made;
  }
  static Pod pod(const std::string& name, std::vector<Container> containers) {
    Pod made;
    made.namespace_name = "default";
    made.name = name;
    made.spec.containers = std::move(containers);
    return made;
  }
  // An init container and a sidecar; two containers.
  static Pod whole(const std::string& name) {
    Pod made = pod(name, {container("main", 2000, 2000), container("log", 0, 500)});
    made.spec.containers[0].requests.emplace_back("memory", Quantity::from_units(64));
    made.spec.init_containers = {container("setup", 300), container("mesh", 100, 200)};
    made.spec.init_containers[1].restart_always = true;
    return made;
  }

  template <typename T>
  std::vector<T> read(const std::string& column, const Pod& pod) {
    const ColumnInfo& info = cluster_.catalog().info(cluster_.find_column(column));
    EXPECT_TRUE(info.any_thread());
    EXPECT_FALSE(info.of_instance() || info.of_shape());
    const PodRecord record = cluster_.record_of(pod);
    const PodRecord* of = &record;
    Gathered out;
    out.begin(info.type, info.list);
    gather_pods(info, cluster_, {&of, 1}, out);
    const berth_column view = out.view();
    const T* first = static_cast<const T*>(view.data) + (info.list ? view.starts[0] : 0);
    return {first, first + (info.list ? view.sizes[0] : 1)};
  }
  using Texts = std::vector<std::string>;
  Texts texts(const std::string& column, const Pod& pod) {
    Texts all;
    for (const StringId id : read<StringId>(column, pod)) all.emplace_back(cluster_.text(id));
    return all;
  }
  using Numbers = std::vector<int64_t>;
  Numbers numbers(const std::string& column, const Pod& pod) { return read<int64_t>(column, pod); }

  Cluster cluster_;
};

TEST_F(ContainerColumns, AreInTheOrderOfTheSpec) {
  const Pod p = whole("p");
  EXPECT_EQ(texts("pod.containers", p), (Texts{"main", "log"}));
  EXPECT_EQ(numbers("pod.container_requests:cpu", p), (Numbers{2000, 0}));
  EXPECT_EQ(numbers("pod.container_requests:memory", p), (Numbers{64, 0}));
  EXPECT_EQ(numbers("pod.container_limits:cpu", p), (Numbers{2000, 500}));
  EXPECT_EQ(numbers("pod.container_requests:example.com/gpu", p), (Numbers{0, 0}));
  EXPECT_EQ(texts("pod.init_containers", p), (Texts{"setup", "mesh"}));
  EXPECT_EQ(numbers("pod.init_container_requests:cpu", p), (Numbers{300, 100}));
  EXPECT_EQ(numbers("pod.init_container_limits:cpu", p), (Numbers{0, 200}));
  EXPECT_EQ(read<uint8_t>("pod.init_container_restarts", p), (std::vector<uint8_t>{0, 1}));
  EXPECT_EQ(texts("pod.qos_class", p), Texts{"Burstable"});
  EXPECT_EQ(texts("pod.init_containers", pod("q", {})), Texts());
  EXPECT_EQ(texts("pod.qos_class", pod("q", {})), Texts{"BestEffort"});
}

TEST_F(ContainerColumns, AmountsAreRoundedUp) {
  Pod p = whole("p");
  p.spec.containers[0].requests = {{"cpu", *Quantity::parse("0.1m")},
                                   {"memory", *Quantity::parse("1500m")}};
  EXPECT_EQ(numbers("pod.container_requests:cpu", p), (Numbers{1, 0}));
  EXPECT_EQ(numbers("pod.container_requests:memory", p), (Numbers{2, 0}));
}

// The names are kept from the first time that somebody asks for them, and that of all pods.
TEST_F(ContainerColumns, NamesAreKeptOnceTheyAreAskedFor) {
  const PodId before = cluster_.add_pod(whole("before"));
  EXPECT_EQ(cluster_.strings().find("mesh"), 0u);
  cluster_.find_column("pod.container_requests:cpu");
  EXPECT_EQ(cluster_.strings().find("mesh"), 0u);
  EXPECT_EQ(texts("pod.init_containers", whole("before")), (Texts{"setup", "mesh"}));
  const PodId after = cluster_.add_pod(pod("after", {container("late", 1)}));
  EXPECT_NE(cluster_.strings().find("late"), 0u);
  cluster_.remove_pod(before);
  cluster_.remove_pod(after);
  cluster_.collect(Cluster::Retired::kAll);
  EXPECT_EQ(cluster_.strings().find("late"), 0u);
  EXPECT_EQ(texts("pod.containers", pod("again", {container("other", 1)})), Texts{"other"});
}

TEST_F(ContainerColumns, PodsThatDifferInThemAreTold) {
  const auto identity = [&](const char* column, const Pod& pod) {
    std::string bytes;
    append_identity(cluster_.catalog().info(cluster_.find_column(column)), cluster_,
                    cluster_.record_of(pod), bytes);
    return bytes;
  };
  Pod renamed = whole("p"), larger = whole("p");
  renamed.spec.containers[1].name = "logs";
  larger.spec.containers[1].requests = {{"cpu", Quantity::from_milli(1)}};
  EXPECT_NE(identity("pod.containers", renamed), identity("pod.containers", whole("p")));
  EXPECT_EQ(identity("pod.containers", larger), identity("pod.containers", whole("p")));
  EXPECT_NE(identity("pod.container_requests:cpu", larger),
            identity("pod.container_requests:cpu", whole("p")));
  EXPECT_EQ(identity("pod.container_requests:memory", larger),
            identity("pod.container_requests:memory", whole("p")));
}

}  // namespace
}  // namespace berth::model
