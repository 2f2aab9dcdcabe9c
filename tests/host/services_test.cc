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
  EXPECT_TRUE(view(host->name).starts_with("Berth 0.")) << view(host->name);
  fake.environment.profile = "batch";
  const HostServices of_profile("Rack", fake.environment);
  fake.environment.profile = {};
  EXPECT_EQ(view(of_profile.host()->profile), "batch");
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
    berth_string text = {};
    rules.version(asked, &text);
    EXPECT_EQ(view(text), version_text(version));
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
  EXPECT_EQ(log.shows(host, BERTH_LOG_INFO), 1u);
  EXPECT_EQ(log.shows(host, BERTH_LOG_DEBUG), 0u);
  fake.log.most = BERTH_LOG_DEBUG;
  EXPECT_EQ(log.shows(host, BERTH_LOG_DEBUG), 1u);
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
  const uint32_t ids[] = {id, 0, strings.intern(host, to_abi("rack-8"))};
  berth_string texts[3];
  strings.read_all(host, 3, ids, texts);
  EXPECT_EQ(view(texts[0]), "rack-7");
  EXPECT_EQ(texts[1].size, 0u);
  EXPECT_EQ(view(texts[2]), "rack-8");
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

TEST_F(Services, BindingsByThemselves) {
  const auto& bindings = get<berth_bindings_service>(BERTH_BINDINGS_SERVICE);
  const uint64_t pods[] = {7, 8, 9};
  const uint32_t nodes[] = {1, 2, 3};
  uint8_t codes[3];
  fake.bindings.refused = 8;
  bindings.write_each(host, 3, pods, nodes, codes);
  EXPECT_EQ(codes[0], BERTH_SUCCESS);
  EXPECT_EQ(codes[1], BERTH_ERROR);
  EXPECT_EQ(codes[2], BERTH_SUCCESS);
  EXPECT_EQ(fake.bindings.written.back(), (std::pair<uint64_t, uint32_t>{9, 3}));
}

// Serves a PostFilter, in the present functions and in those of plugins that were built before.
struct FakeTrials final : TrialServices {
  WhatIf* begin(uint32_t) override { return nullptr; }
  bool kept(berth_what_if_kept& out) override {
    out.kind = 3;
    out.by_row = stamps.data();
    out.rows = stamps.size();
    return keeps;
  }
  void for_each(uint64_t, void*, void (*)(void*, uint64_t)) override {}
  berth_code ask_extenders(std::span<const Choice> choices,
                           const std::function<void(const Choice&)>& take, std::string&) override {
    for (const Choice& choice : choices) {
      Choice other = choice;
      other.row += 10;
      take(other);
    }
    return BERTH_SUCCESS;
  }
  bool extenders_preempt() override { return true; }

  std::vector<uint64_t> stamps = {5, 6};
  bool keeps = true;
};

struct TrialsServed : Services {
  TrialsServed() { fake.environment.trials = &trials; }

  FakeTrials served;
  Trials trials{&served};
  HostServices with_trials{"Rack", [this] {
                             Environment environment = fake.environment;
                             environment.trials = &trials;
                             return environment;
                           }()};
  const berth_host* asked = with_trials.host();
};

TEST_F(TrialsServed, ResultsOfWhatIfsHoldAsLongAsStampsSay) {
  const auto& what_ifs = *static_cast<const berth_what_if_service*>(
      asked->service(asked, to_abi(BERTH_WHAT_IF_SERVICE)));
  berth_what_if_kept kept = {};
  EXPECT_EQ(what_ifs.kept(asked, &kept), 0u);  // it has no size
  EXPECT_EQ(kept.kind, 0u);
  // One of a later version, of which this host does not know the rest.
  struct {
    berth_what_if_kept known;
    uint64_t later;
  } larger = {{sizeof larger, 0, 0, nullptr, 0}, 77};
  EXPECT_EQ(what_ifs.kept(asked, &larger.known), 1u);
  EXPECT_EQ(larger.known.size, sizeof larger);
  EXPECT_EQ(larger.known.kind, 3u);
  EXPECT_EQ(larger.known.by_row[1], 6u);
  EXPECT_EQ(larger.known.rows, 2u);
  EXPECT_EQ(larger.later, 77u);
  berth_what_if_stamps stamps = {};
  EXPECT_EQ(what_ifs.stamps(asked, &stamps), 1u);
  EXPECT_EQ(stamps.kind, 3u);
  EXPECT_EQ(stamps.by_row[0], 5u);
  served.keeps = false;
  EXPECT_EQ(what_ifs.stamps(asked, &stamps), 0u);
  EXPECT_EQ(what_ifs.kept(asked, &larger.known), 0u);
}

TEST_F(TrialsServed, ExtendersChooseAmongCandidates) {
  const auto& extenders = *static_cast<const berth_preempt_extenders_service*>(
      asked->service(asked, to_abi(BERTH_PREEMPT_EXTENDERS_SERVICE)));
  const uint64_t victims[] = {100, 101};
  const berth_text_sink error = {sizeof error, 0, nullptr, [](void*, berth_string) {}};
  std::vector<uint32_t> rows;
  const berth_preempt_choice first = {sizeof first, 1, victims, 2, 0}, small = {8, 2, {}, 0, 0};
  const berth_preempt_choice* const choices[] = {&first, &small};
  const auto take = [](void* context, const berth_preempt_choice* choice) {
    EXPECT_EQ(choice->size, sizeof *choice);
    EXPECT_EQ(choice->victim_count, 2u);
    static_cast<std::vector<uint32_t>*>(context)->push_back(choice->row);
  };
  EXPECT_EQ(extenders.choose(asked, choices, 1, &rows, take, &error), BERTH_SUCCESS);
  EXPECT_EQ(extenders.choose(asked, choices, 2, &rows, take, &error), BERTH_ERROR);
  const berth_preempt_candidate candidate = {4, 0, victims, 2, 0};
  const auto take_former = [](void* context, const berth_preempt_candidate* left) {
    static_cast<std::vector<uint32_t>*>(context)->push_back(left->row);
  };
  EXPECT_EQ(extenders.ask(asked, &candidate, 1, &rows, take_former, &error), BERTH_SUCCESS);
  EXPECT_EQ(rows, (std::vector<uint32_t>{11, 14}));
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
