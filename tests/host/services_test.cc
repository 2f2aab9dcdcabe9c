// The services of every host, called the way a plugin calls them.

#include "engine/host/instance/services/services.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "berth/abi/clock.h"
#include "berth/abi/metrics.h"
#include "berth/abi/rules.h"
#include "berth/abi/signing.h"
#include "berth/abi/worker.h"
#include "engine/host/faults/in_plugin.h"
#include "engine/host/instance/text.h"
#include "tests/host/fake_environment.h"
#include "tests/host/faulty_instance.h"

namespace berth::host {
namespace {

using Texts = std::vector<std::string>;

struct Services : testing::Test {
  template <typename Service>
  const Service& get(std::string_view id) {
    const void* found = host->service(host, to_abi(id));
    if (found == nullptr) throw std::runtime_error("no service " + std::string(id));
    return *static_cast<const Service*>(found);
  }

  FakeEnvironment fake;
  HostServices services{"Rack", fake.environment};
  const berth_host* host = services.host();
  const PluginFunction function{"Rack", "init", ""};
  const InPlugin in_init{function};
};

TEST_F(Services, Host) {
  EXPECT_EQ(host->abi_major, BERTH_ABI_MAJOR);
  EXPECT_EQ(host->abi_minor, BERTH_ABI_MINOR);
  EXPECT_EQ(HostServices::of(host).plugin(), "Rack");
  EXPECT_EQ(&HostServices::of(host).environment().log, &fake.log);
}

TEST_F(Services, ThatAreMissing) {
  for (const char* id : {"berth.counts/9", "berth.strings/1", "", "berth.counts/9"}) {
    EXPECT_EQ(host->service(host, to_abi(id)), nullptr);
  }
  EXPECT_EQ(services.missing(), (Texts{"berth.counts/9", "berth.strings/1", ""}));
}

// Services are looked up in init and nowhere else.
TEST_F(Services, AreNotLookedUpInHooks) {
  const PluginFunction filter{"Rack", "Filter", ""};
  const InPlugin in_filter(filter);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(host->service(host, to_abi(BERTH_STRINGS_SERVICE)), nullptr);
  EXPECT_EQ(
      fake.log.lines,
      Texts{"1 Rack: asked for the service \"berth.strings/0\" in Filter; services are looked "
            "up in init"});
  EXPECT_TRUE(services.missing().empty());
}

TEST_F(Services, OfSigningAddUpWhatThePluginSays) {
  EXPECT_EQ(services.signing(), nullptr);
  const auto& signing = get<berth_signing_service>(BERTH_SIGNING_SERVICE);
  EXPECT_EQ(services.signing(), nullptr);  // it said nothing yet
  EXPECT_EQ(signing.compares(host, uint64_t{1} << 40, 0), BERTH_ERROR);
  EXPECT_EQ(signing.compares(host, BERTH_PART_POD_AFFINITY, 0), BERTH_ERROR);
  EXPECT_EQ(signing.compares_column(host, to_abi("pod.nothing")), BERTH_ERROR);
  EXPECT_EQ(signing.compares_column(host, to_abi("node.name")), BERTH_ERROR);
  EXPECT_EQ(services.signing(), nullptr);
  EXPECT_EQ(signing.compares(host, BERTH_PART_LABELS, 0), BERTH_SUCCESS);
  EXPECT_EQ(signing.compares(host, BERTH_PART_IMAGES, BERTH_PART_POD_AFFINITY), BERTH_SUCCESS);
  EXPECT_EQ(signing.compares_column(host, to_abi("pod.priority")), BERTH_SUCCESS);
  ASSERT_NE(services.signing(), nullptr);
  EXPECT_EQ(services.signing()->parts, BERTH_PART_LABELS | BERTH_PART_IMAGES);
  EXPECT_EQ(services.signing()->without, BERTH_PART_POD_AFFINITY);
  EXPECT_EQ(services.signing()->columns, Texts{"pod.priority"});
}

// A thread that the plugin made is in none of its functions.
TEST_F(Services, OfTheModelAreRefusedOnThreadsOfThePlugin) {
  const auto& strings = get<berth_strings_service>(BERTH_STRINGS_SERVICE);
  const auto& log = get<berth_log_service>(BERTH_LOG_SERVICE);
  const uint32_t rack = strings.intern(host, to_abi("rack-7"));
  std::thread([&] {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(strings.find(host, to_abi("rack-7")), 0u);
    EXPECT_EQ(host->service(host, to_abi(BERTH_LOG_SERVICE)), nullptr);
    EXPECT_EQ(view(strings.text(host, rack)), "rack-7");
    log.write(host, BERTH_LOG_ERROR, to_abi("hot"));
  }).join();
  EXPECT_EQ(
      fake.log.lines,
      (Texts{"1 Rack: called strings.find on a thread that runs none of its functions; only "
             "the thread that owns the model may",
             "1 Rack: asked for the service \"berth.log/0\" on a thread that runs none of its "
             "functions; services are looked up in init",
             "1 Rack: hot"}));
}

// Of the services of the run, threads of the plugin may only change metrics, and init may not ask
// for what depends on a decision.
TEST_F(Services, OfTheRunAreForFunctionsOfHooks) {
  const auto& clock = get<berth_clock_service>(BERTH_CLOCK_SERVICE);
  const auto& worker = get<berth_worker_service>(BERTH_WORKER_SERVICE);
  const auto& metrics = get<berth_metrics_service>(BERTH_METRICS_SERVICE);
  const uint32_t counter = metrics.counter(host, to_abi("rounds_total"), to_abi("Rounds."));
  EXPECT_EQ(worker.count(host), 3u);
  EXPECT_LT(worker.index(host), 3u);
  EXPECT_EQ(worker.scratch(host, 1), nullptr);
  EXPECT_EQ(clock.now(host), 0);
  std::thread([&] {
    EXPECT_EQ(worker.index(host), BERTH_NO_WORKER);
    EXPECT_EQ(clock.now(host), 0);
    EXPECT_EQ(metrics.counter(host, to_abi("more"), {}), 0u);
    metrics.add(host, counter, 2);
  }).join();
  EXPECT_EQ(fake.metrics.plugins().at(0).metrics->value(counter), 2);
  const std::string thread = " on a thread that runs none of its functions; ";
  EXPECT_EQ(
      fake.log.lines,
      (Texts{"1 Rack: called worker.scratch in init; only functions of hooks may",
             "1 Rack: called clock.now in init; only functions of hooks may",
             "1 Rack: called worker.index" + thread + "only threads of the host have a number",
             "1 Rack: called clock.now" + thread + "only functions of hooks may",
             "1 Rack: called metrics.counter" + thread + "metrics are made in init"}));
}

TEST_F(Services, Rules) {
  const auto& rules = get<berth_rules_service>(BERTH_RULES_SERVICE);
  const auto holds = [&](const berth_host* asked, std::string_view name) {
    return rules.holds(asked, to_abi(name));
  };
  for (const KubeVersion version : kube_versions()) {
    fake.environment.rules = Rules(version);
    const HostServices of_version("Rack", fake.environment);
    const berth_host* const asked = of_version.host();
    EXPECT_EQ(view(rules.version(asked)), version_text(version));
    EXPECT_EQ(holds(asked, "SchedulerPopFromBackoffQ"), BERTH_RULE_YES);
    EXPECT_EQ(holds(asked, "TaintsUnnamed"),
              version == KubeVersion::k1_34 ? BERTH_RULE_NO : BERTH_RULE_YES);
    EXPECT_EQ(holds(asked, "taintsunnamed"), BERTH_RULE_UNKNOWN);
    EXPECT_EQ(holds(asked, ""), BERTH_RULE_UNKNOWN);
  }
}

TEST_F(Services, LongMessagesAreCut) {
  const auto& log = get<berth_log_service>(BERTH_LOG_SERVICE);
  log.write(host, BERTH_LOG_ERROR, to_abi(std::string(1 << 20, 'x')));
  EXPECT_EQ(fake.log.lines.at(0).size(), std::string("1 Rack: ").size() + 16 * 1024);
}

TEST_F(Services, Log) {
  const auto& log = get<berth_log_service>(BERTH_LOG_SERVICE);
  EXPECT_EQ(log.level, BERTH_LOG_INFO);
  log.write(host, BERTH_LOG_ERROR, to_abi("hot"));
  log.write(host, BERTH_LOG_DEBUG, to_abi("cool"));
  EXPECT_EQ(fake.log.lines, Texts{"1 Rack: hot"});
}

TEST_F(Services, Strings) {
  const auto& strings = get<berth_strings_service>(BERTH_STRINGS_SERVICE);
  EXPECT_EQ(strings.find(host, to_abi("rack-7")), 0u);
  const uint32_t id = strings.intern(host, to_abi("rack-7"));
  EXPECT_EQ(strings.find(host, to_abi("rack-7")), id);
  EXPECT_EQ(view(strings.text(host, id)), "rack-7");
  EXPECT_EQ(strings.text(host, 0).size, 0u);
  EXPECT_EQ(strings.text(host, 4711).data, nullptr);
}

TEST_F(Services, Columns) {
  const auto& columns = get<berth_columns_service>(BERTH_COLUMNS_SERVICE);
  EXPECT_EQ(columns.find(host, to_abi("node.name")), fake.cluster.find_column("node.name"));
  EXPECT_NE(columns.find(host, to_abi("node.name")), 0u);
  EXPECT_EQ(columns.find(host, to_abi("node.colour")), 0u);
}

TEST_F(Services, Selectors) {
  const auto& selectors = get<berth_selectors_service>(BERTH_SELECTORS_SERVICE);
  EXPECT_EQ(selectors.match_column(host, 1), 0u);  // the selector does not exist yet

  const TextArguments text("{term: {matchExpressions: [{key: -a-, operator: Exists}]}, rest: 7}");
  ConfigTree tree(text.get());
  const berth_config* config = tree.config();
  const uint32_t term = config->member(config, 0, to_abi("term"));
  EXPECT_EQ(selectors.node_selector_term(host, config, term), 0u);  // not the tree that init reads
  services.set_arguments(&tree);
  EXPECT_EQ(selectors.node_selector_term(host, config, 99), 0u);
  const uint32_t handle = selectors.node_selector_term(host, config, term);
  EXPECT_EQ(handle, 1u);
  EXPECT_EQ(fake.cluster.selectors().count(), 1u);
  EXPECT_NE(selectors.match_column(host, handle), 0u);
  EXPECT_EQ(selectors.match_column(host, handle), fake.cluster.find_column("node.matches:1"));
  EXPECT_EQ(selectors.node_selector(host, config, config->member(config, 0, to_abi("rest"))), 0u);
  ASSERT_EQ(tree.reported().size(), 1u);
  EXPECT_EQ(tree.reported()[0].message(), "must be an object");

  std::string problem;
  const berth_text_sink sink = {sizeof sink, 0, &problem, [](void* context, berth_string said) {
                                  *static_cast<std::string*>(context) += view(said);
                                }};
  selectors.problem(host, handle, &sink);
  EXPECT_EQ(problem, fake.cluster.selectors().problem(handle));
  EXPECT_NE(problem.find("-a-"), std::string::npos) << problem;
  problem.clear();
  selectors.problem(host, 0, &sink);
  EXPECT_EQ(problem, "");
  berth_text_sink reserved = sink;
  reserved.reserved = 7;
  selectors.problem(host, handle, &reserved);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(fake.log.lines.back(),
            "1 Rack: a text sink with 7 in the member reserved, which must be 0");
}

TEST_F(Services, Bindings) {
  const auto& bindings = get<berth_bindings_service>(BERTH_BINDINGS_SERVICE);
  const uint64_t pods[] = {7, 8};
  const uint32_t nodes[] = {1, 2};
  EXPECT_EQ(bindings.write(host, 2, pods, nodes), BERTH_SUCCESS);
  EXPECT_EQ(fake.bindings.written.size(), 2u);
  fake.bindings.good = false;
  EXPECT_EQ(bindings.write(host, 2, pods, nodes), BERTH_ERROR);
}

// Without a receiver of bindings the service does not exist.
TEST_F(Services, NoBindings) {
  fake.environment.bindings = nullptr;
  HostServices others("Rack", fake.environment);
  EXPECT_EQ(others.host()->service(others.host(), to_abi(BERTH_BINDINGS_SERVICE)), nullptr);
}

// Exceptions inside a service do not pass through the plugin.
TEST_F(Services, ThatFail) {
  fake.bindings.broken = true;
  const auto& bindings = get<berth_bindings_service>(BERTH_BINDINGS_SERVICE);
  const uint64_t pod = 7;
  const uint32_t node = 1;
  EXPECT_EQ(bindings.write(host, 1, &pod, &node), BERTH_ERROR);
  EXPECT_EQ(fake.log.lines, Texts{"1 Rack: no more room"});
}

}  // namespace
}  // namespace berth::host
