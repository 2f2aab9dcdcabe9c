// Breaks up herds: of two nodes that other plugins like equally, a random one gets the pod, more
// often one with few pods. The metric shuffle_scores_total says how many scores were drawn.
//
// The answer is another for each attempt, so the hook is BERTH_DEPENDS_EXTERNAL. The run's seed
// alone decides what it is: a run that is repeated, on any number of threads, binds the same.

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/clock.hpp"
#include "berth/sdk/services/metrics.hpp"
#include "berth/sdk/services/worker.hpp"

namespace sdk = berth::sdk;

struct Shuffle : sdk::Score<> {
  sdk::Input<uint32_t> name{*this, "node.name"};
  sdk::Input<int64_t> pods{*this, "node.pods"};
  sdk::Random random;
  sdk::Worker worker;
  sdk::Counter scores;

  Shuffle() : Score(BERTH_NORMALISE_MAX) { depends(BERTH_DEPENDS_EXTERNAL); }

  void init(sdk::Host host) override {
    random = sdk::Random(host);
    worker = sdk::Worker(host);
    scores = sdk::Counter(host, "shuffle_scores_total", "Scores that were drawn.");
  }

  void score(const Call& call, std::span<int64_t> raw) const override {
    // The number of a node belongs to its name: it is the same wherever the node is in a call.
    const std::span<uint64_t> draws = worker.scratch<uint64_t>(raw.size());
    for (size_t i = 0; i < draws.size(); ++i) draws[i] = random.below(1'000'000, call[name][i]);
    for (size_t i = 0; i < raw.size(); ++i)
      raw[i] = static_cast<int64_t>(draws[i]) / (1 + call[pods][i]);
    scores.add(raw.size());
  }
};

BERTH_SDK_PLUGIN(sdk::Hooks<Shuffle>, "com.example.shuffle", "Shuffle", BERTH_SCORE, "node.name",
                 "node.pods", BERTH_RANDOM_SERVICE, BERTH_WORKER_SERVICE, BERTH_METRICS_SERVICE);
