// Measures parts of a decision outside plugins: pod counts, and the pick among the best nodes.

#include <benchmark/benchmark.h>

#include "engine/base/draw.h"
#include "engine/framework/evaluation/scores/best_rows.h"

namespace {

using namespace berth;

uint64_t drawn(uint64_t number) { return draw(1, number, 0, Purpose::kLoad); }

// Finds the best of this many rows, one in `ties` of which has the best total, and picks one of
// those.
void BM_Pick(benchmark::State& state) {
  const auto rows = static_cast<model::Row>(state.range(0));
  framework::SearchResult search_result;
  search_result.begin(rows);
  search_result.pieces = {{0, rows}};
  for (model::Row row = 0; row < rows; ++row) {
    search_result.refuser[row] = framework::kFeasible;
    search_result.totals[row] = drawn(row) % static_cast<uint64_t>(state.range(1)) == 0 ? 500 : 400;
    ++search_result.feasible;
  }
  search_result.totals[rows / 2] = 500;
  framework::BestRows best;
  uint64_t number = 0;
  for (auto _ : state) {
    best.find(search_result);
    benchmark::DoNotOptimize(best.at(below(drawn(++number), best.count())));
  }
  state.SetItemsProcessed(state.iterations() * rows);
}

// A cluster with `queries` pod counts by zone or by hostname.
class Counted {
 public:
  Counted(uint32_t nodes, uint32_t queries, const char* key) {
    for (uint32_t i = 0; i < nodes; ++i) {
      model::Node node;
      node.name = "node-" + std::to_string(i);
      node.labels = {{"kubernetes.io/hostname", node.name},
                     {"topology.kubernetes.io/zone", "zone-" + std::to_string(i % 10)}};
      cluster_.put_node(node);
    }
    cluster_.order_rows();
    for (uint32_t i = 0; i < queries; ++i) {
      model::CountQuery query;
      const model::LabelSelector selector{{{"app", "web"}},
                                          {{"tier", "NotIn", {std::to_string(i)}}}};
      model::PodTerm term;
      term.namespaces = {cluster_.strings().intern("default")};
      term.selector = cluster_.label_selectors().of(selector);
      query.terms = {cluster_.terms().of(term)};
      query.key = cluster_.strings().intern(key);
      columns_.push_back(cluster_.counts().row_column(cluster_.counts().query(query)));
    }
    model::Pod pod;
    pod.namespace_name = "default";
    pod.spec.labels = {{"app", "web"}};
    for (uint32_t i = 0; i < kPods; ++i) {
      pod.name = "pod-" + std::to_string(i);
      pods_.push_back(cluster_.add_pod(pod));
    }
  }

  // Adds a pod and updates all counts, then removes it and updates them again.
  void turn(uint64_t number) {
    const model::PodId pod = pods_[number % kPods];
    cluster_.place(pod, static_cast<model::Row>(below(drawn(number), cluster_.nodes().rows())));
    refresh();
    cluster_.unplace(pod);
    refresh();
  }

 private:
  static constexpr uint32_t kPods = 256;
  void refresh() {
    for (model::ColumnId column : columns_) benchmark::DoNotOptimize(cluster_.view(column).data);
  }

  model::Cluster cluster_;
  std::vector<model::ColumnId> columns_;
  std::vector<model::PodId> pods_;
};

void counts(benchmark::State& state, const char* key) {
  Counted counted(static_cast<uint32_t>(state.range(0)), static_cast<uint32_t>(state.range(1)),
                  key);
  uint64_t number = 0;
  for (auto _ : state) counted.turn(++number);
  state.SetItemsProcessed(state.iterations());
}
void BM_CountsByHostname(benchmark::State& state) { counts(state, "kubernetes.io/hostname"); }
void BM_CountsByZone(benchmark::State& state) { counts(state, "topology.kubernetes.io/zone"); }

BENCHMARK(BM_Pick)
    ->ArgNames({"rows", "ties"})
    ->ArgsProduct({{1000, 10'000, 100'000, 1'000'000}, {2, 1000}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_CountsByHostname)
    ->ArgNames({"rows", "queries"})
    ->ArgsProduct({{1000, 10'000, 100'000, 1'000'000}, {1, 10}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_CountsByZone)
    ->ArgNames({"rows", "queries"})
    ->ArgsProduct({{1000, 10'000, 100'000, 1'000'000}, {1, 10}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
