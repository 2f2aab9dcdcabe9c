// The counts service, as a foreign plugin uses it.

#include "berth/abi/counts.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>

#include "engine/host/faults/in_plugin.h"
#include "engine/host/instance/services/services.h"
#include "tests/runtime/testing.h"

namespace berth::tests {
namespace {

class DomainLimitTest : public CoreTest {
 protected:
  void start_with(const std::string& arguments) {
    start(R"([{"schedulerName":"default-scheduler","plugins":{"filter":{"enabled":
      [{"name":"DomainLimit"}]}},"pluginConfig":[{"name":"DomainLimit","args":)" +
          arguments + "}]}]");
    for (const auto& [name, rack] :
         {std::pair("a1", "a"), std::pair("a2", "a"), std::pair("b1", "b")})
      cluster().put_node(in_rack(name, rack));
  }
  static model::Node in_rack(const std::string& name, const std::string& rack) {
    model::Node made = node(name);
    made.labels = {{"rack", rack}};
    return made;
  }
  static model::Pod database(const std::string& name, const std::string& in = "default") {
    model::Pod made = pod(name);
    made.namespace_name = in;
    made.spec.labels = {{"app", "db"}};
    return made;
  }

  static model::Pod requesting(const std::string& name, int64_t milli_cpu) {
    model::Pod made = database(name);
    made.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(milli_cpu)}};
    return made;
  }

  const std::string two_cpus_each_ =
      R"({"selector":{"matchLabels":{"app":"db"}},"topologyKey":"rack","resource":"cpu",)"
      R"("most":2000})";
  const std::string one_each_ =
      R"({"selector":{"matchLabels":{"app":"db"}},"topologyKey":"rack","most":1})";
};

TEST_F(DomainLimitTest, CountsFollowWhatHappens) {
  start_with(one_each_);
  schedule({database("first"), database("second", "elsewhere"), database("third"), pod("other")});
  EXPECT_EQ(results, (std::vector<std::string>{"first scheduled a1", "second scheduled b1",
                                               "third unschedulable", "other scheduled a2"}));
  EXPECT_EQ(messages[2], "0/3 nodes are available: 3 node(s) were in a full domain.");
  results.clear();
  // First the only pod of rack a moves to rack c, so that a is empty. Then rack b is emptied.
  cluster().put_node(in_rack("a1", "c"));
  schedule({database("fourth"), database("fifth")});
  EXPECT_EQ(results, (std::vector<std::string>{"fourth scheduled a2", "fifth unschedulable"}));
  results.clear();
  apply(model::deleted_pod("elsewhere", "second"));
  schedule({database("sixth")});
  EXPECT_EQ(results, (std::vector<std::string>{"sixth scheduled b1"}));
}

// With a resource the plugin limits a sum.
TEST_F(DomainLimitTest, SumsFollowWhatHappens) {
  start_with(two_cpus_each_);
  schedule({requesting("first", 1500), requesting("second", 1000), requesting("third", 500),
            requesting("fourth", 1000), requesting("fifth", 1), database("sixth")});
  EXPECT_EQ(results, (std::vector<std::string>{"first scheduled a1", "second scheduled b1",
                                               "third scheduled a2", "fourth scheduled b1",
                                               "fifth unschedulable", "sixth scheduled a2"}));
  results.clear();
  apply(model::deleted_pod("default", "first"));
  schedule({requesting("seventh", 1501), requesting("eighth", 1500)});
  EXPECT_EQ(results, (std::vector<std::string>{"seventh unschedulable", "eighth scheduled a1"}));
}

TEST_F(DomainLimitTest, SumsFollowNominatedPods) {
  start_with(two_cpus_each_);
  model::Pod waiting = requesting("waiting", 1500);
  waiting.spec.priority = 10;
  waiting.nominated_node_name = "a1";
  cluster().nominate(core->door().add(waiting));
  schedule({requesting("small", 500), requesting("large", 1000)});
  EXPECT_EQ(results, (std::vector<std::string>{"small scheduled a1", "large scheduled a2"}));
}

TEST_F(DomainLimitTest, ASelectorThatCannotBeIsAnErrorOfTheConfiguration) {
  const auto error = [&](const std::string& selector) -> std::string {
    try {
      start_with(R"({"selector":)" + selector + R"(,"topologyKey":"rack","most":1})");
    } catch (const std::exception& failure) {
      return failure.what();
    }
    return "no error";
  };
  EXPECT_NE(error(R"({"matchExpressions":[{"key":"a","operator":"Near"}]})")
                .find("\"Near\" is not a valid label selector operator"),
            std::string::npos);
  EXPECT_NE(error(R"({"matchLabels":[1]})").find("must be an object"), std::string::npos);
  EXPECT_NE(error(R"({"matchLabel":{}})").find("matchLabel"), std::string::npos);
  EXPECT_EQ(error(R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})"), "no error");
}

// Invalid requests return 0 and write a line to the log.
class CountsServiceTest : public testing::Test {
 protected:
  class Log final : public host::LogServices {
   public:
    uint32_t level() const override { return BERTH_LOG_INFO; }
    void write(uint32_t, std::string_view, std::string_view text) override { last = text; }
    std::string last;
  };

  std::string said() { return std::exchange(log_.last, {}); }
  const berth_host* host() const { return services_.host(); }
  uint32_t query(const berth_count_query& raw) { return counts_->query(host(), &raw); }
  berth_count_query plain() const {
    return {sizeof(berth_count_query), 0, nullptr, 0, nullptr, 0, 15, 0, {}};
  }

  model::Cluster cluster_;
  host::ModelServices model_services_{cluster_};
  host::HookTable hooks_;
  Log log_;
  host::HostServices services_{"Prober", {model_services_, nullptr, log_, hooks_}};
  const host::PluginFunction function_{"Prober", "init", ""};
  const host::InPlugin in_init_{function_};
  const berth_counts_service* counts_ = static_cast<const berth_counts_service*>(
      host()->service(host(), {BERTH_COUNTS_SERVICE, sizeof(BERTH_COUNTS_SERVICE) - 1}));
};

TEST_F(CountsServiceTest, RefusesWhatIsNotWellFormed) {
  ASSERT_NE(counts_, nullptr);
  EXPECT_EQ(counts_->query(host(), nullptr), 0u);
  EXPECT_EQ(said(), "counts: no query");
  berth_count_query raw = plain();
  EXPECT_EQ(query(raw), 1u);
  EXPECT_EQ(said(), "");
  raw.size = 8;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: query of 8 bytes, expected 48");
  raw = plain();
  raw.topology_key = 1'000'000;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: unknown string 1000000");
  raw = plain();
  raw.topology_key = cluster_.strings().intern("");
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: \"\" as a topology key");
  raw = plain();
  cluster_.find_column("node.matches:99");
  const uint32_t guessed = cluster_.catalog().size() - 1;
  raw.participants = &guessed;
  raw.participant_count = 1;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: unknown column \"node.matches:99\"");
  raw = plain();
  raw.pods = 16;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: unknown kinds of pods 16");
  raw = plain();
  raw.flags = 4;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: unknown flags 4");
  raw = plain();
  const uint32_t no_term = 7;
  raw.terms = &no_term;
  raw.term_count = 1;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: unknown term 7");
  raw.term_count = UINT64_MAX;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_NE(said().find("expected at most 65536"), std::string::npos);
  raw = plain();
  const uint32_t names = cluster_.find_column("node.name");
  raw.participants = &names;
  raw.participant_count = 1;
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(),
            "counts: the column \"node.name\" as a participant, expected a flat one of nodes, U8");

  raw = plain();
  raw.resource = {nullptr, 3};
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: a resource without a name");
  raw.resource = {"*", 1};
  EXPECT_EQ(query(raw), 0u);
  EXPECT_EQ(said(), "counts: \"*\" as a resource");

  EXPECT_EQ(counts_->node_counts(host(), 9), 0u);
  EXPECT_EQ(said(), "counts: unknown query 9");
  EXPECT_EQ(counts_->total(host(), 0), 0u);
  EXPECT_EQ(said(), "counts: the query 0");
  EXPECT_EQ(counts_->domain_counts(host(), 1), 0u);
  EXPECT_EQ(said(), "counts: counts by domain of query 1, which has no topology key");
  const berth_pod_term term{sizeof term, 99, nullptr, 0, 0, 0};
  EXPECT_EQ(counts_->term(host(), &term), 0u);
  EXPECT_EQ(said(), "counts: unknown label selector 99");
  const berth_pod_term reserved{sizeof reserved, 0, nullptr, 0, 0, 7};
  EXPECT_EQ(counts_->term(host(), &reserved), 0u);
  EXPECT_EQ(said(), "counts: a term with 7 in the member reserved, which must be 0");
  const char column[] = "pod.labels";
  const berth_carried_terms carried{sizeof carried, 0, {column, sizeof column - 1}, 1};
  EXPECT_EQ(counts_->carry(host(), &carried), 0u);
  EXPECT_NE(said().find("\"pod.labels\" as carried terms, expected one of pod.pod_affinity_terms"),
            std::string::npos);
  EXPECT_EQ(counts_->carriers(host(), 3), 0u);
  EXPECT_EQ(said(), "counts: unknown match set 3");
}

TEST_F(CountsServiceTest, QueriesThatDifferInTheResourceAloneAreTwo) {
  berth_count_query raw = plain();
  raw.resource = {"cpu", 3};
  const uint32_t cpu = query(raw);
  EXPECT_EQ(query(raw), cpu);
  raw.resource = {"memory", 6};
  const uint32_t memory = query(raw);
  raw.size = offsetof(berth_count_query, resource);  // as of a plugin that does not know the member
  const uint32_t pods = query(raw);
  EXPECT_EQ(query(plain()), pods);
  EXPECT_EQ((std::set<uint32_t>{0, cpu, memory, pods}).size(), 4u);
  EXPECT_EQ(cluster_.text(cluster_.counts()[memory].resource), "memory");
  EXPECT_EQ(cluster_.counts()[pods].resource, 0u);
}

}  // namespace
}  // namespace berth::tests
