#pragma once

// The columns of the nominated table: one position for each nomination that filters see.
//
// Nothing is kept until a column is asked for. From then on the columns follow each nomination; the
// last position takes the place of one that ends. One thread changes them; others may read while
// nobody does.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/memory/arena.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/column.h"
#include "engine/model/nominations/nominations.h"
#include "engine/model/pods/pod_templates.h"

namespace berth::model {

class NominatedColumns {
 public:
  struct Position {
    Nomination of;
    StringId node = 0, namespace_name = 0;
  };

  NominatedColumns(Arena& arena, const PodTemplates& templates)
      : arena_(arena), templates_(templates) {}

  // True once a column was asked for. The three functions below have no effect before.
  bool used() const { return used_; }
  // Precondition: the pod has no position.
  void add(const Position& position);
  // Precondition of both: the pod has one.
  void replace(const Nomination& by);
  void remove(PodId pod);

  // From now on positions are kept; the caller adds those that there are.
  void use() { used_ = true; }
  // The column, made when it is first asked for. Precondition: used().
  const Column& column(ColumnId id, const ColumnInfo& info);
  // Forgets a column; no effect if there is none of that id.
  void drop(ColumnId id) { columns_.erase(id); }
  // Describes the first column that differs from the positions; empty: none does.
  std::string fault() const;
  // By position.
  const std::vector<Position>& positions() const { return positions_; }

 private:
  struct Stored {
    ColumnInfo info;
    Column column;
  };

  void resize(size_t count);
  void write(size_t at);
  void write(Stored& stored, size_t at) const;
  uint64_t value(const ColumnInfo& info, const Position& position) const;

  Arena& arena_;
  const PodTemplates& templates_;
  bool used_ = false;
  std::vector<Position> positions_;
  boost::unordered_flat_map<uint64_t, size_t> places_;  // by the pod's handle
  // By id. Columns do not move: hooks refer to them.
  boost::unordered_flat_map<ColumnId, std::unique_ptr<Stored>> columns_;
};

}  // namespace berth::model
