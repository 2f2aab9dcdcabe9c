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
// Decisions ask less: a profile remembers the states of all hooks for each kind of pod
// (pod_kinds.h), until one of them drops states.
//
// A signature does not hold column values but numbers for them (SignaturePart): all columns that
// follow the template have one number, all that follow the pod's terms have another. So a template
// that is new to the hook costs its bytes once, not once for each of its shapes.
//
// Growth. New kinds of pods (requests, labels, selectors) make new signatures without end.
// `collect` bounds all tables: it drops the states that `of` did not return since the last
// `collect`, together with their signatures, parts and cached answers, and the pages of known_ that
// were not used. Their numbers are used again, after they were removed from every table. A pod
// whose state was dropped gets a new one, equal to the old: decisions do not change, they only take
// longer once. `grown` tells when a collection pays off: after it, memory is at most about twice
// what the pods since the last collection need.
//
// A TemplateHook does not move until `collect` or `forget_states`. Both are called between two
// decisions, on the thread that owns the model, when no decision refers to a state.
//
// Signatures hold ids of the model (names, selectors, terms). Before the model reuses retired ids
// (Cluster::collect), its owner calls `forget_states`, which drops everything.
//
// Threads. `of`, `refresh`, `gather_pods`, `collect` and `forget_states` belong to the thread that
// owns the model. `slice`, `gather`, `gather_one`, `gather_row`, `gather_placed` and `shared_stamp`
// only read: any thread may call them with a state that `of` returned, and that was refreshed,
// while the model is not modified, each with its own CallColumns.

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/assert.h"
#include "engine/framework/hooks/id_pages.h"
#include "engine/framework/hooks/overlay.h"
#include "engine/framework/hooks/recent_rows.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/model/cluster/cluster.h"
#include "engine/model/columns/gathered.h"

namespace berth::framework {

// The answer of a PreFilter hook, valid while its stamp is that of the inputs.
struct PreFilterCache {
  uint64_t stamp = 0;  // 0: no answer
  berth_code code = BERTH_SUCCESS;
  uint32_t reason = 0;
  bool narrows = false;
  std::vector<model::StringId> node_names;
};

// The answer of a PreScore hook, valid while its stamp is that of the inputs.
struct PreScoreCache {
  uint64_t stamp = 0;  // 0: no answer, or one that holds for a single decision
  bool skip = false;
  uint64_t version = 0;  // changes each time the hook calls raw scores stale
};

// The answers of a Hints hook about one event.
struct HintAnswer {
  uint64_t round = 0;  // of QueueingHints; another round: no answer
  // Bits: what is known, and what helps, for each way in which the event's pod may regard pods of
  // the template (QueueingHints::Regard).
  uint8_t known = 0, helps = 0;
};

// The state of a hook for one signature: the plugin's state, the columns of its calls, and cached
// answers. Filled in on the thread that owns the model.
struct TemplateHook {
  host::Prepared prepared;
  bool failed = false;                      // `prepare` failed: the hook must not be called
  std::string error;                        // the text of that failure
  bool misused = false;                     // it was CallError::is_misuse()
  std::vector<model::ColumnId> inputs;      // of calls, in order; 0 arrives as null
  std::vector<model::Gathered> pod_values;  // in step: of inputs that are pod columns
  std::vector<berth_column> pod_columns;    // in step: views of them
  struct Source {
    const model::Column* column = nullptr;  // of other tables than pods
    bool aligned = false;                   // one value for each position of the hook's space
    bool follows_pods = false;              // of an overlay's row, see Overlay::follows_pods
  };
  std::vector<Source> sources;               // in step
  std::vector<const model::Column*> shared;  // inputs that all rows share, see shared_stamp()
  std::vector<model::ColumnId> lagging;      // counts by row, see BoundHook::refresh
  uint64_t serial = 0;                       // no other state of the process has this number
  PreFilterCache pre_filter;
  PreScoreCache pre_score;
  HintAnswer hint;
};

// Memory for the columns of one call, reused by the next. Each thread has its own.
class CallColumns {
 public:
  // One position of one column, in memory as the ABI wants it (berth/abi/column.h).
  struct alignas(64) One {
    std::byte value[128];
    std::byte start[128];
    std::byte size[128];
  };

  std::vector<berth_column> columns;
  std::vector<model::Gathered> gathered;    // backs the columns that were gathered
  std::vector<One> ones;                    // backs those of a single row
  std::vector<model::AlignedBytes> recent;  // backs those of recent rows
};

// The columns of calls of one hook with a single row. The next call about the same state finds all
// but the row's values in place. Each thread has its own for each hook.
struct RowColumns {
  // A column of the hook's space that has no lists: its value of the row is copied to `to`.
  struct Copied {
    const model::Column* column;
    std::byte* to;       // in of_call
    berth_column* view;  // there, too
  };

  uint64_t serial = 0;  // TemplateHook::serial of the last call
  CallColumns of_call;
  std::vector<Copied> copied;
  std::vector<size_t> viewed;  // inputs of other tables than pods that are not copied
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
  uint32_t positions() const;  // size of the dictionary, or number of rows
  // For texts of errors: `node "a"`.
  std::string node_text(model::Row row) const;
  // The same for a code: the first node that has it, or `code 7 of node.taints` if none has.
  // Precondition: over_dictionary().
  std::string code_text(uint32_t code) const;

  // The state for this pod's signature, prepared if it is new. A failure of `prepare` is stored in
  // the state (TemplateHook::failed) and not tried again. The reference is valid until collect() or
  // forget_states().
  TemplateHook& of(const model::PodRecord& pod, host::CallContext& calls);
  // True if pods of one shape may have different states, because the hook reads columns that every
  // pod has of its own.
  bool follows_pod() const { return scope_ == Scope::kPod; }
  // The facts that decide which state a pod has, besides its template: whether the hook declares
  // terms about other pods, or a family of pod columns, and the other pod columns that it declares.
  bool declares_terms() const;
  bool declares_pod_family() const { return declares_pod_family_; }
  const std::vector<model::ColumnId>& own_columns() const { return own_part_; }
  // Brings the state's columns of counts by row up to date. Precondition of gathering them for
  // calls (slice, gather, gather_one, gather_row), on the thread that owns the model.
  void refresh(const TemplateHook& state) const {
    for (const model::ColumnId column : state.lagging) refresh(column);
  }
  // The same for one column.
  void refresh(model::ColumnId column) const;
  // The profile calls it once. `index`: the hook's place among all hooks of the profile.
  // `forgotten`: a number that the hook raises when states that `of` returned before must not be
  // used any more; it outlives the hook.
  void join(size_t index, uint64_t& forgotten) {
    BERTH_ASSERT(forgotten_ == nullptr);
    index_ = index;
    forgotten_ = &forgotten;
  }
  size_t index() const { return index_; }
  // A new state, prepared for this pod alone and not kept. The caller destroys it before the
  // plugin's instance. For the reference evaluation.
  std::unique_ptr<TemplateHook> prepare_anew(const model::PodRecord& pod, host::CallContext& calls);

  // A number for the current inputs of the state's calls: never 0, and different whenever an input
  // changed. For hooks with BERTH_DEPENDS_EXTERNAL it differs each time.
  uint64_t stamp(const TemplateHook& state);

  // A number for the inputs that the answers for all rows share: different whenever one of them
  // changed. Over a dictionary these are the inputs by code. 0: the answers follow more than
  // declared inputs, and hold for one decision.
  uint64_t shared_stamp(const TemplateHook& state) const;
  // The inputs of a row that its answer follows besides: bits of model/columns/change_log.h.
  model::Changes inputs_of_row(const TemplateHook& state) const;

  // The columns for positions [begin, end) of the hook's space, as views of the model's columns.
  // Precondition: begin is a multiple of 64, and end <= positions(). Valid until the model is
  // modified.
  void slice(const TemplateHook& state, uint32_t begin, uint32_t end, CallColumns& out) const;
  // The columns for these positions: those of the hook's space are copied into `out`, the others
  // are views. With `overlay`, which may be null, columns of nodes and counts have the values of
  // the overlay's row, and `positions` has that row (or its code) alone.
  void gather(const TemplateHook& state, std::span<const uint32_t> positions,
              const Overlay* overlay, CallColumns& out) const;
  // The same for the rows at these places of `recent`, without an overlay. False: some value is not
  // kept there. Precondition: the state has no counts by row.
  [[nodiscard]] bool gather_recent(const TemplateHook& state, RecentRows& recent,
                                   const RecentRows::Range& places, CallColumns& out) const;
  // The same as gather() for one row of a hook over rows, without an overlay.
  void gather_one(const TemplateHook& state, model::Row row, RowColumns& out) const;
  // The same for the one position of the overlay's row. `again`: `out` holds the columns of the
  // same state and row, from which only pods were added or removed since.
  void gather_row(const TemplateHook& state, uint32_t position, const Overlay& overlay, bool again,
                  CallColumns& out) const;
  // The columns for pods, for points whose space is pods or placements. Pod columns have one value
  // per pod; other tables are passed whole. With `rows` (empty, or one row per pod), columns of
  // nodes have the values of these rows; kNoRow: the node on which the pod counts is gone, so that
  // it has a name and no other value. Null state: the declared columns.
  void gather_pods(const TemplateHook* state, std::span<const model::PodRecord* const> pods,
                   std::span<const model::Row> rows, CallColumns& out) const;
  // Replaces the views in `out`, which gather_pods filled without a state and with rows, by copies:
  // the columns may be used until the next gathering, by another thread and after changes of the
  // model.
  void copy_tables(CallColumns& out) const;

  // The columns of a call about the state's pod, those of other tables whole. Its pod columns were
  // gathered when the state was prepared, and pods of one state are equal in them.
  static void take_columns(const TemplateHook& state, CallColumns& out);

  // The declared columns for placed pods, one value a pod: those that any thread may read
  // (ColumnInfo::any_thread). All others arrive as null.
  void gather_placed(std::span<const model::PodRecord* const> pods, CallColumns& out) const;

  // A call over `columns`, which outlive it. `count`: positions. `ran`: BERTH_RAN_ bits. Null
  // state: call.state is null.
  static berth_call call(const CallColumns& columns, uint64_t count, const TemplateHook* state,
                         uint32_t ran);

  // Growth: see the top of this file.
  size_t signatures() const { return states_.size() - free_states_.size(); }  // number of states
  bool grown() const { return size() > collect_at_; }
  // Returns the number of states that were dropped.
  size_t collect();
  void forget_states();
  // Drops the states of a hook that reads columns with a value of its own for every pod, such as
  // pod.name; no effect for other hooks.
  void forget_states_of_pods() {
    if (scope_ == Scope::kPod) forget_states();
  }
  // Memory of the tables by id and by signature, without the states.
  size_t table_bytes() const;

 private:
  // Granularity of the key of known_: a template id, a shape id within one context of the model, or
  // no key at all, because pods of one shape differ in a declared column.
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

    uint32_t number_of(const std::string& bytes);
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
  uint32_t find_number(const model::PodRecord& pod, host::CallContext& calls);
  uint32_t find_or_make(const model::PodRecord& pod, host::CallContext& calls);
  void prepare(TemplateHook& state, const model::PodRecord& pod, host::CallContext& calls);
  static void begin_one(const TemplateHook& state, RowColumns& out);
  static void view_one(const TemplateHook& state, size_t input, model::Row row, RowColumns& out);
  void gather_nodes(model::ColumnId column, std::span<const model::PodRecord* const> pods,
                    std::span<const model::Row> rows, model::Gathered& out) const;
  void take_inputs(TemplateHook& state, const model::PodRecord& pod);
  bool up_to_date(const TemplateHook& state) const;
  void raise_forgotten() {
    if (forgotten_ != nullptr) ++*forgotten_;
  }
  size_t drop_unused();
  size_t size() const {
    size_t pages = known_.pages();
    for (const SignaturePart& part : parts_) pages += part.known.pages();
    return signatures() + pages * kPageWeight;
  }

  const host::Hook* hook_;
  model::Cluster* cluster_;
  size_t index_ = 0;
  uint64_t* forgotten_ = nullptr;
  model::ColumnId space_ = 0;
  model::Table space_table_ = model::Table::kNodes;
  const model::Column* space_column_ = nullptr;
  std::vector<model::ColumnId> declared_;  // in order; 0 for families
  std::array<SignaturePart, kParts> parts_;
  std::vector<model::ColumnId> own_part_;  // the other declared pod columns
  // Memory that is kept: of the bytes of a part of a signature, and of the pod columns of
  // prepare().
  std::string bytes_;
  std::vector<model::Gathered> prepare_values_;  // in the order of declared_
  std::vector<berth_column> prepare_columns_;
  Scope scope_ = Scope::kTemplate;
  bool declares_pod_family_ = false;
  uint64_t external_ = 0;

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
