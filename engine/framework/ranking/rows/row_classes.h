#pragma once

// Groups rows that some hooks cannot tell apart, so that one answer of a hook holds for all of
// them.
//
// Rows are in one class if they are equal in all inputs of the hooks. A count by domain
// (node.count, node.carried) counts as equal if the rows are in the same domain: when a pod is
// placed in a zone, the count of all its nodes changes, and the classes stay as they are. A hook is
// then called with one position for each class, whose count is read from the domain. The column of
// such a count by row, of which a third would change, is neither read nor brought up to date.
//
// Where domains are more than kMost (kubernetes.io/hostname), rows are grouped by the count itself,
// and its column by row is brought up to date: a placed pod moves one row to another class. All
// other inputs are grouped by value, too.
//
// There are at most kMost classes. Hooks that need more are asked by row.

#include <array>
#include <cstdint>
#include <vector>

#include "engine/framework/evaluation/rows/search_result.h"
#include "engine/framework/hooks/bound_hook.h"
#include "engine/framework/ranking/rows/row_changes.h"

namespace berth::framework {

// A row that is in another class now.
struct MovedRow {
  model::Row row;
  RowClass was;  // RowClasses::kNone: the row is new
  RowClass now;
};

// Belongs to the thread that owns the model.
class RowClasses {
 public:
  static constexpr uint32_t kMost = 64;
  static constexpr RowClass kNone = UINT8_MAX;  // of rows that do not exist

  explicit RowClasses(const model::Cluster& cluster) : cluster_(&cluster) {}

  // True if the hook reads counts by row, and its answer follows nothing but flat columns.
  static bool suits(const BoundHook& hook, const TemplateHook& state,
                    const model::Catalog& catalog);
  // Adds the inputs of a hook to those by which rows are grouped; returns its number, from 0. Both
  // outlive the classes. Precondition: suits(), and build() was not called.
  size_t add(const BoundHook& hook, const TemplateHook& state);
  bool empty() const { return hooks_.empty(); }

  // Brings the columns up to date by whose values rows are grouped. Call it before the change log
  // is read for follow().
  void refresh() const;
  // Groups all rows. False: there are more than kMost classes, and the object is of no use.
  [[nodiscard]] bool build(model::Row rows);
  // Takes over changes since the last call; the rows that are in another class now are appended to
  // `moved`, in order, unless all were grouped anew. kTooMany: as for build().
  enum class Followed : uint8_t { kMoved, kBuilt, kTooMany };
  [[nodiscard]] Followed follow(const RowChanges& changes, model::Row rows,
                                std::vector<MovedRow>& moved);

  // Moves the classes of rows with the rows, before follow(); see moved_rows.cc. Marks the blocks
  // in which classes differ afterwards.
  void move(const model::Renumbering& by, model::BlockBits& differ);

  // Reads the counts of the domains. Call it before stamp() and columns().
  void read_counts();
  // A number that differs whenever the columns of the hook do.
  uint64_t stamp(size_t hook) const;
  // The columns of a call of the hook with a position for each class. Valid until the model or the
  // classes change.
  void columns(size_t hook, CallColumns& out) const;

  uint32_t count() const { return count_; }  // of classes; some may have no rows
  uint32_t rows_in(RowClass of) const { return rows_in_[of]; }
  // By row; whole blocks, those behind the last row are kNone.
  const RowClass* of_rows() const { return of_rows_.data(); }
  size_t rows() const { return of_rows_.size(); }  // of whole blocks
  size_t bytes() const;

 private:
  // Values of one column, or counts, by class, as the ABI wants them.
  struct alignas(64) Values {
    std::array<std::byte, kMost * sizeof(int64_t) + 64> bytes;
  };
  // A column by whose values rows are grouped.
  struct Key {
    const model::Column* column;
    size_t width;   // bytes of a value
    Values values;  // by class
  };
  // A count by domain: the keys that hold the domains, and the counts by class.
  struct Count {
    model::ColumnId column;
    bool carried;
    uint32_t number;           // of the query or match set
    std::vector<size_t> keys;  // of domains, one for each sum of a match set
    uint64_t generation = 0;   // of the numbers that were read
    uint64_t version = 0;      // changes with them
    Values values{};           // I64
  };
  struct Source {
    enum class Kind : uint8_t { kPod, kWhole, kKey, kCount } kind;
    size_t number = 0;  // of the key or count
  };
  struct Hook {
    const BoundHook* bound;
    const TemplateHook* state;
    std::vector<Source> sources;  // by input
  };

  Source source_of(const BoundHook& hook, const TemplateHook& state, size_t input);
  size_t key_of(const model::Column& column);
  size_t count_of(model::ColumnId column, const model::ColumnInfo& info);
  bool few_domains(const model::ColumnInfo& info) const;
  static uint64_t value_at(const Key& key, model::Row row);
  void read_key(model::Row row);
  [[nodiscard]] bool group(model::Row rows);
  Followed make_room(model::Row rows);
  template <typename T>
  [[nodiscard]] bool divide(const Key& key, model::Row rows);
  RowClass find_or_add();
  RowClass add_class(size_t place);
  uint64_t generation_of(const Count& count) const;
  int64_t count_at(const Count& count, RowClass of) const;
  uint64_t key_at(size_t key, RowClass of) const;

  const model::Cluster* cluster_;
  std::vector<Hook> hooks_;
  std::vector<Key> keys_;
  std::vector<Count> counts_;
  model::Changes inputs_ = 0;               // of rows: changes that can move a row
  std::vector<model::ColumnId> counted_;    // the counts by whose value rows are grouped
  std::vector<const BoundHook*> counting_;  // in step: a hook that can bring it up to date

  uint32_t count_ = 0;
  uint64_t made_ = 0;  // grows with each class and each build
  std::vector<RowClass> of_rows_;
  std::array<uint32_t, kMost> rows_in_{};
  std::vector<uint64_t> identities_;  // of the classes: a word for each key
  std::vector<uint64_t> identity_;    // of the row at hand
  static constexpr size_t kPlaces = 256;
  std::array<uint8_t, kPlaces> places_{};  // open addressing by hash: class + 1; 0: free
  std::vector<model::Row> changed_;
  // While rows are grouped: the classes of the keys so far, and by class and value the class.
  uint32_t groups_ = 0;
  std::vector<RowClass> group_of_;
};

}  // namespace berth::framework
