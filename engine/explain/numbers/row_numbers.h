#pragma once

// The numbers behind the verdicts and scores of one row, as plugins tell them, for explanations.
// Belongs to the thread that owns the model, which is not modified as long as the object is used.

#include <string>
#include <vector>

#include "engine/explain/numbers/pods_behind.h"
#include "engine/framework/evaluation/rows/row_filter.h"

namespace berth::explain {

class RowNumbers final : private host::NumbersSource {
 public:
  // Both outlive the object.
  RowNumbers(const model::Cluster& cluster, host::CallContext& calls)
      : cluster_(cluster), calls_(calls), filters_(cluster, calls), pods_(cluster) {}

  // `filter`, `score`: indices in the profile's lists, of hooks that are called for the pod.
  // `changed`: null or of that row. Preconditions: the context's filters, or scores, are resolved
  // and refreshed. No items: the plugin does not tell numbers, or failed. Items of a hook that
  // reads counts by domain have `domain`, the row's label, if a label key ends their names.
  std::vector<host::Item> of_filter(const framework::DecisionContext& context, size_t filter,
                                    model::Row row, const framework::ChangedRow* changed);
  std::vector<host::Item> of_score(const framework::DecisionContext& context, size_t score,
                                   model::Row row);

 private:
  void add_domains(std::vector<host::Item>& items) const;
  std::string term(uint32_t term) override;
  host::SomePods pods(uint32_t column, uint64_t element) override;

  const model::Cluster& cluster_;
  host::CallContext& calls_;
  framework::RowFilter filters_;
  PodsBehind pods_;
  framework::CallColumns columns_;
  // Of the call in progress.
  model::Row row_ = 0;
  const framework::TemplateHook* state_ = nullptr;
};

// A term in words: its selector as kubectl writes it, and its namespaces.
std::string words(const model::Cluster& cluster, model::TermId term);

}  // namespace berth::explain
