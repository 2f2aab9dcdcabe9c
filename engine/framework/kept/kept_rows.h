#pragma once

// Keeps answers about single rows from one decision to the next, for pods that filters cannot tell
// apart: verdicts with nominated pods, reasons of refusals, and versions that tell which of them
// are stale.
//
// Pods are of one kind if they have the same profile, priority, template states and answers of
// PreFilter. The memory is bounded: kinds that were not used for the longest time are dropped.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/framework/kept/kept_reasons.h"
#include "engine/framework/kept/nominated_verdicts.h"
#include "engine/framework/kept/row_versions.h"

namespace berth::framework {

struct KeptRows {
  KeptRows(uint64_t kind, const model::Cluster& cluster, const DecisionContext& context)
      : number(kind), versions(cluster, context) {}

  uint64_t number;  // of the kind; not used again in the process
  RowVersions versions;
  NominatedVerdicts nominated;
  KeptReasons reasons;
};

// One thread, that which owns the model.
class KeptRowsTable {
 public:
  // The cluster outlives the table.
  explicit KeptRowsTable(const model::Cluster& cluster) : cluster_(cluster) {}

  // The answers for pods of this kind, with current versions; null: none can be kept. Valid until
  // the next decision. Precondition: the context's filters are resolved, and the model was not
  // modified since.
  KeptRows* of(const DecisionContext& context);

 private:
  struct Kind {
    std::vector<uint64_t> key;
    uint64_t used = 0;  // time of the last use
    std::unique_ptr<KeptRows> rows;
  };

  void make_key(const DecisionContext& context);
  Kind& find(const DecisionContext& context);
  void drop_oldest();

  const model::Cluster& cluster_;
  // Of the last call.
  const Profile* profile_ = nullptr;
  uint64_t resolution_ = 0;
  KeptRows* last_ = nullptr;

  std::vector<uint64_t> key_;
  std::vector<Kind> kinds_;
  uint64_t uses_ = 0;
};

// The same for a context that may have no table.
inline KeptRows* kept_rows(const DecisionContext& context) {
  return context.keeper != nullptr ? context.keeper->of(context) : nullptr;
}

}  // namespace berth::framework
