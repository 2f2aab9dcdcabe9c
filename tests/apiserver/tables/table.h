#pragma once

// The form of answers that kubectl asks for to print them: Table of meta.k8s.io/v1.

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/apiserver/tables/columns.h"

namespace berth::apiserver {

class Table {
 public:
  // What a row holds beside its cells: the query's includeObject.
  enum class Include : uint8_t { kNone, kMetadata, kObject };

  // `columns` outlive this.
  Table(const Columns& columns, Include include, Nanoseconds now)
      : columns_(columns), include_(include), now_(now) {}

  // An object as the server shows it.
  void add(json::value object);
  // Once. `metadata`: of a list.
  std::string finish(json::object metadata);

 private:
  const Columns& columns_;
  Include include_;
  Nanoseconds now_;
  json::array rows_;
};

// The table of one object, given as its JSON, with its revision.
std::string table_of(const Columns& columns, Table::Include include, Nanoseconds now,
                     std::string_view text);

}  // namespace berth::apiserver
