#pragma once

// A hook of one plugin instance together with the model: projected signatures, template states, and
// the columns of a call.
//
// Pods that are equal in the pod columns that the hook declares share one state. A hook's call
// gets the columns that `prepare` narrowed to, or the declared ones; what was not declared arrives
// as null.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/framework/hooks/overlay.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/storage/gathered.h"

namespace berth::framework {

// Answers that hold as long as no input of theirs changes, by row in blocks.
template <typename T>
struct RowCache {
  static constexpr uint32_t kBlock = model::Column::kBlock;
  std::vector<T> values;         // by row (or by dictionary code)
  std::vector<uint64_t> stamps;  // by block: the inputs' stamp that they were computed at; 0: none
};

struct PreFilterCache {
  uint64_t stamp = 0;
  berth_code code = BERTH_SUCCESS;
  uint32_t reason = 0;
  bool narrows = false;
  std::vector<model::StringId> node_names;
};

struct PreScoreCache {
  uint64_t stamp = 0;
  bool skip = false;
  uint64_t version = 0;  // another one each time that it says that raw scores are stale
};

// What a hook made of one projected signature.
struct TemplateHook {
  host::Prepared prepared;
  bool failed = false;
  std::string error;                        // of a failure
  std::vector<model::ColumnId> inputs;      // of calls, in order; 0 arrives as null
  std::vector<model::Gathered> pod_values;  // in step: of inputs that are pod columns
  struct Source {
    const model::Column* column = nullptr;  // of other tables than pods
    bool aligned = false;                   // one value a position of the hook's space
  };
  std::vector<Source> sources;                // in step
  std::vector<const model::Column*> aligned;  // those of them that are
  std::vector<model::ColumnId> lagging;       // inputs that are brought up to date for each pod
  RowCache<uint8_t> verdicts;                 // Filter
  RowCache<int64_t> raw;                      // Score
  PreFilterCache pre_filter;
  PreScoreCache pre_score;
};

// Memory for the columns of one call; one per thread.
class CallColumns {
 public:
  std::vector<berth_column> columns;
  std::vector<model::Gathered> gathered;  // where positions were gathered
};

class BoundHook {
 public:
  BoundHook(const host::Hook& hook, model::Cluster& cluster);
  BoundHook(BoundHook&&) = default;

  const host::Hook& hook() const { return *hook_; }
  // Over dictionary codes in place of nodes.
  bool over_dictionary() const { return space_ != 0; }
  model::ColumnId space() const { return space_; }
  uint32_t positions() const;  // of the dictionary, or rows

  // The state for this pod's signature, prepared if it is new. [cycle]
  TemplateHook& of(const model::PodRecord& pod, host::CallContext& worker);

  // A number that is another one whenever an input of the calls changed; never 0. Of external hooks
  // a new one each time.
  uint64_t stamp(const TemplateHook& state);

  // The same for the answers of the rows of one block, where `whole` is the part that all blocks
  // share: what is not aligned with rows.
  uint64_t whole_stamp(const TemplateHook& state) const;
  uint64_t block_stamp(const TemplateHook& state, uint64_t whole, uint32_t block) const {
    if (space_column_ != nullptr) return whole + space_column_->generation_of(block);
    uint64_t sum = whole;
    for (const model::Column* column : state.aligned) sum += column->generation_of(block);
    return sum;
  }

  // The columns for positions [begin, end) of the hook's space; begin is a multiple of 64.
  void slice(TemplateHook& state, uint32_t begin, uint32_t end, CallColumns& out);
  // The columns for these positions, gathered; with `overlay`, for its row alone.
  void gather(TemplateHook& state, std::span<const uint32_t> positions, const Overlay* overlay,
              CallColumns& out);
  // The columns for pods: pod columns of each, other tables whole. For points whose space is pods,
  // and, with `rows`, for placements.
  void gather_pods(TemplateHook* state, std::span<const model::PodRecord* const> pods,
                   std::span<const model::Row> rows, CallColumns& out);

  // A call over `columns`, which outlive it.
  static berth_call call(const CallColumns& columns, uint64_t count, const TemplateHook* state,
                         uint32_t ran);

  size_t signatures() const { return states_.size(); }
  // Forgets cached rows of all signatures; bytes that were held.
  size_t cached_bytes() const { return cached_bytes_; }
  void count_cached(size_t bytes) { cached_bytes_ += bytes; }
  void drop_caches();
  // Ends all states: they are prepared anew when they are asked for. Of one pod alone are those of
  // hooks whose signature holds what every pod has of its own, such as its name. To be called
  // between decisions, before ids that signatures hold are used again (Cluster::collect).
  void forget_states();
  void forget_states_of_pods() {
    if (scope_ == Scope::kPod) forget_states();
  }

 private:
  struct Known {
    uint64_t context = 0;
    uint32_t state = 0;  // index + 1; 0: not looked up yet
  };
  TemplateHook& refreshed(uint32_t number);
  // Pod columns that are a function of one number. The values of all of them together are numbered
  // from 1, so that a signature has a number in place of their bytes.
  struct SignaturePart {
    std::vector<model::ColumnId> columns;  // in order
    std::vector<uint32_t> known;           // by what they are a function of; 0: not looked up yet
    boost::unordered_flat_map<std::string, uint32_t> numbers;  // by the values' bytes
  };
  uint32_t number_of(SignaturePart& part, uint32_t of, const model::PodRecord& pod);
  Known* known(const model::PodRecord& pod);
  uint32_t find_or_make(const model::PodRecord& pod, host::CallContext& worker);
  void prepare(TemplateHook& state, const model::PodRecord& pod, host::CallContext& worker);
  std::string signature(const model::PodRecord& pod);
  void take_inputs(TemplateHook& state, const model::PodRecord& pod);
  bool is_of_nodes(model::ColumnId column) const {
    return cluster_->catalog().info(column).table == model::Table::kNodes;
  }

  const host::Hook* hook_;
  model::Cluster* cluster_;
  model::ColumnId space_ = 0;
  model::Table space_table_ = model::Table::kNodes;
  const model::Column* space_column_ = nullptr;  // of the space, where that is no table of its own
  std::vector<model::ColumnId> declared_;        // in order; 0 for families
  // Those of the pods table: of the template, of what the pod says about others, and the rest.
  SignaturePart template_part_, terms_part_;
  std::vector<model::ColumnId> own_part_;
  // How far apart pods of one signature may be: of one template, of one shape in one context of the
  // model, or nothing that could be looked up without the signature.
  enum class Scope : uint8_t { kTemplate, kShape, kPod };
  Scope scope_ = Scope::kTemplate;
  bool declares_pod_family_ = false;
  uint64_t external_ = 0;
  size_t cached_bytes_ = 0;
  std::vector<std::unique_ptr<TemplateHook>> states_;
  std::vector<Known> known_;  // by template or shape
  boost::unordered_flat_map<std::string, uint32_t> by_signature_;
};

}  // namespace berth::framework
