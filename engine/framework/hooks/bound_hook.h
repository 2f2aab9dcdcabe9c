#pragma once

// A hook of one plugin instance, bound to the model: it finds a pod's template state, and builds
// the columns of a call.
//
// Template states. A hook declares the columns that it reads. Two pods that are equal in the pod
// columns among them have the same signature and share one state: what the plugin's `prepare`
// returned, the columns that it narrowed calls to, and answers that the host keeps. Building a
// signature costs a look at each declared pod column, so `of` asks two tables first:
//
//   known_          template or shape id -> number of a state. The hot path ends here. Which id
//                   suffices depends on the declared columns (Scope); a hook that reads columns
//                   in which pods of one shape differ (pod.name, say) skips this table.
//   by_signature_   signature -> number of a state.
//
// A signature does not hold column values but numbers for them (SignaturePart): all columns that
// follow the template have one number, all that follow the pod's terms have another. So a template
// that is new to the hook costs its bytes once, not once for each of its shapes.
//
// Growth. Ever new pods (requests, labels, selectors) make ever new signatures. `collect` bounds
// all tables: it drops the states that no call of `of` returned since the last `collect`, and with
// them their signatures, parts and cached answers; pages of known_ that nothing looked at go too.
// Numbers of what was dropped are given out again, after every table has forgotten them. A pod
// whose state was dropped gets a new one, equal to the old: decisions do not change, they only
// take longer once. `grown` tells when a collection pays: after it, memory is at most about twice
// what the pods of the time since the last collection need.
//
// A TemplateHook stays where it is until `collect` or `forget_states`. Both are called between two
// decisions, on the thread that owns the model; the decision before is over, and nothing refers to
// its states any more.
//
// Signatures hold ids of the model (names, selectors, terms). Before the model gives retired ids to
// something else (Cluster::collect), its owner calls `forget_states`, which drops everything.
//
// Threads. `of`, `gather_pods`, `collect` and `forget_states` belong to the thread that owns the
// model. `slice`, `gather`, `whole_stamp` and `block_stamp` only read: any thread may call them
// with a state that `of` returned while the model is not modified, each with its own CallColumns.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/framework/hooks/id_pages.h"
#include "engine/framework/hooks/overlay.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/storage/gathered.h"

namespace berth::framework {

// A hook's answers by row, kept in blocks of 64 rows.
//
// A block carries the stamp of the inputs that its answers were computed from: a sum of column
// generations, which only grow. Before use the caller computes the stamp that the block would get
// now; if it differs, some input of the block changed, and the hook is asked again for the block.
// Nothing has to be told to the cache when the model changes. Stamp 0 means that the block holds no
// answers. Two threads may work on different blocks at once.
template <typename T>
struct RowCache {
  static constexpr uint32_t kBlock = model::Column::kBlock;
  std::vector<T> values;         // by row
  std::vector<uint64_t> stamps;  // by block
  size_t bytes() const { return values.size() * sizeof(T); }
};

// The answer of a PreFilter hook, valid while its stamp is that of the inputs.
struct PreFilterCache {
  uint64_t stamp = 0;  // 0: no answer
  berth_code code = BERTH_SUCCESS;
  uint32_t reason = 0;
  bool narrows = false;
  std::vector<model::StringId> node_names;
};

// The same of a PreScore hook.
struct PreScoreCache {
  uint64_t stamp = 0;  // 0: no answer, or one that holds for a single decision
  bool skip = false;
  uint64_t version = 0;  // changes each time the hook calls raw scores stale
};

// The answer of a Hints hook about one event.
struct HintAnswer {
  uint64_t round = 0;  // of QueueingHints; another round: no answer
  uint8_t helps = 0;
};

// What a hook made of one signature.
struct TemplateHook {
  host::Prepared prepared;
  bool failed = false;
  std::string error;                        // of a failure
  std::vector<model::ColumnId> inputs;      // of calls, in order; 0 arrives as null
  std::vector<model::Gathered> pod_values;  // in step: of inputs that are pod columns
  std::vector<berth_column> pod_columns;    // in step: views of them
  struct Source {
    const model::Column* column = nullptr;  // of other tables than pods
    bool aligned = false;                   // one value for each position of the hook's space
  };
  std::vector<Source> sources;                // in step
  std::vector<const model::Column*> aligned;  // the aligned ones
  std::vector<model::ColumnId> lagging;       // counts by row, brought up to date by `of`
  RowCache<uint8_t> verdicts;                 // Filter
  RowCache<int64_t> raw;                      // Score
  PreFilterCache pre_filter;
  PreScoreCache pre_score;
  HintAnswer hint;
};

// Memory for the columns of one call. One for each thread.
class CallColumns {
 public:
  std::vector<berth_column> columns;
  std::vector<model::Gathered> gathered;  // backs the columns that were gathered
};

class BoundHook {
 public:
  // Both outlive the bound hook.
  BoundHook(const host::Hook& hook, model::Cluster& cluster);
  BoundHook(BoundHook&&) = default;

  const host::Hook& hook() const { return *hook_; }
  // True if positions are codes of a dictionary column of nodes, not rows.
  bool over_dictionary() const { return space_ != 0; }
  model::ColumnId space() const { return space_; }
  // Only over a dictionary: that column. U32 codes by row.
  const model::Column& space_column() const { return *space_column_; }
  uint32_t positions() const;  // size of the dictionary, or rows

  // The state for this pod's signature, prepared if it is new, its lagging counts up to date.
  TemplateHook& of(const model::PodRecord& pod, host::CallContext& worker);
  // True if pods of one shape may have different states, because the hook reads columns that every
  // pod has of its own.
  bool follows_pod() const { return scope_ == Scope::kPod; }
  // A new state, prepared for this pod alone and not kept. The caller destroys it before the
  // plugin's instance. For the reference evaluation.
  std::unique_ptr<TemplateHook> prepare_anew(const model::PodRecord& pod,
                                             host::CallContext& worker);

  // Never 0; differs whenever an input of the calls changed. Of external hooks: differs each time.
  uint64_t stamp(const TemplateHook& state);

  // The stamp of the answers for the rows of one block (see RowCache), where `whole` is the part
  // that all blocks share: inputs that are not aligned with rows.
  uint64_t whole_stamp(const TemplateHook& state) const;
  uint64_t block_stamp(const TemplateHook& state, uint64_t whole, uint32_t block) const {
    if (space_column_ != nullptr) return whole + space_column_->generation_of(block);
    uint64_t sum = whole;
    for (const model::Column* column : state.aligned) sum += column->generation_of(block);
    return sum;
  }

  // The columns for positions [begin, end) of the hook's space; begin is a multiple of 64.
  void slice(const TemplateHook& state, uint32_t begin, uint32_t end, CallColumns& out) const;
  // The columns for these positions, gathered. With `overlay`: for its row alone.
  void gather(const TemplateHook& state, std::span<const uint32_t> positions,
              const Overlay* overlay, CallColumns& out) const;
  // The columns for pods: pod columns have one value a pod, other tables come whole; with `rows`,
  // columns of nodes have the values of these rows. For points whose space is pods or placements.
  // Null state: the declared columns.
  void gather_pods(const TemplateHook* state, std::span<const model::PodRecord* const> pods,
                   std::span<const model::Row> rows, CallColumns& out) const;

  // A call over `columns`, which outlive it.
  static berth_call call(const CallColumns& columns, uint64_t count, const TemplateHook* state,
                         uint32_t ran);

  // Bytes of cached answers by row, over all states.
  size_t cached_bytes() const { return cached_bytes_; }
  void count_cached(size_t bytes) { cached_bytes_ += bytes; }
  void drop_caches();

  // Growth: see the top of this file.
  size_t signatures() const { return states_.size() - free_states_.size(); }
  bool grown() const { return size() > collect_at_; }
  // Returns the number of states that were dropped.
  size_t collect();
  void forget_states();
  // The same for hooks whose states are of one pod alone, because they read columns that every pod
  // has of its own, such as its name.
  void forget_states_of_pods() {
    if (scope_ == Scope::kPod) forget_states();
  }
  // Of the tables by id and by signature; without what states hold.
  size_t table_bytes() const;

 private:
  // How far apart pods of one signature may be: in one template, in one shape within one context of
  // the model, or nowhere that could be looked up without the signature.
  enum class Scope : uint8_t { kTemplate, kShape, kPod };

  struct Known {
    uint64_t context = 0;
    uint32_t state = 0;  // number of a state; 0: not looked up yet
  };
  // Pod columns that follow one id, and a number for each combination of their values.
  struct SignaturePart {
    std::vector<model::ColumnId> columns;                      // in order
    IdPages<uint32_t> known;                                   // by that id; 0: not looked up yet
    boost::unordered_flat_map<std::string, uint32_t> numbers;  // by the values' bytes, from 1
    std::vector<uint32_t> free;                                // numbers to give out again
    uint32_t last = 0;

    uint32_t number_of(std::string bytes);
    void drop_others(const std::vector<bool>& used);  // by number
  };
  static constexpr size_t kParts = 2;  // of the template, and of the pod's terms
  struct State {
    std::unique_ptr<TemplateHook> hook;  // null: the number is free
    uint64_t used_in = 0;                // epoch
    std::array<uint32_t, kParts> parts{};
  };
  struct Signature {
    std::string bytes;
    std::array<uint32_t, kParts> parts{};
  };

  Signature signature(const model::PodRecord& pod);
  uint32_t part_number(size_t part, uint32_t id, const model::PodRecord& pod);
  uint32_t find_number(const model::PodRecord& pod, host::CallContext& worker);
  uint32_t find_or_make(const model::PodRecord& pod, host::CallContext& worker);
  void prepare(TemplateHook& state, const model::PodRecord& pod, host::CallContext& worker);
  void take_inputs(TemplateHook& state, const model::PodRecord& pod);
  void refresh(const TemplateHook& state);
  size_t drop_unused();
  size_t size() const {
    size_t pages = known_.pages();
    for (const SignaturePart& part : parts_) pages += part.known.pages();
    return signatures() + pages * kPageWeight;
  }

  const host::Hook* hook_;
  model::Cluster* cluster_;
  model::ColumnId space_ = 0;
  model::Table space_table_ = model::Table::kNodes;
  const model::Column* space_column_ = nullptr;
  std::vector<model::ColumnId> declared_;  // in order; 0 for families
  std::array<SignaturePart, kParts> parts_;
  std::vector<model::ColumnId> own_part_;  // the other declared pod columns
  Scope scope_ = Scope::kTemplate;
  bool declares_pod_family_ = false;
  uint64_t external_ = 0;
  size_t cached_bytes_ = 0;

  std::vector<State> states_;  // by number - 1
  std::vector<uint32_t> free_states_;
  IdPages<Known> known_;  // by template or shape
  boost::unordered_flat_map<std::string, uint32_t> by_signature_;
  uint64_t epoch_ = 1;  // counts collections
  size_t collect_at_ = kCollectFrom;
  static constexpr size_t kCollectFrom = 4096;
  static constexpr size_t kPageWeight = 64;  // a page takes the memory of so many states
};

}  // namespace berth::framework
