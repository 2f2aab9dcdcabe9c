// Prints the columns that plugins may read, as layout_list.cc prints the rest of the ABI:
//
//   column node.label:KEY = nodes, u32, since 1.0
//   column node.ports = nodes, list of u64, since 1.0

#include <cstdio>
#include <string>
#include <string_view>

#include "berth/abi/column.h"
#include "engine/model/columns/catalog.h"

namespace berth::model {
namespace {

std::string_view name_of(Table table) {
  switch (table) {
    case Table::kNodes:
      return "nodes";
    case Table::kTaintSets:
      return "taint sets";
    case Table::kImages:
      return "images";
    case Table::kCluster:
      return "cluster";
    case Table::kCounts:
      return "counts";
    case Table::kPods:
      return "pods";
    case Table::kEvents:
      return "events";
    case Table::kBudgets:
      return "budgets";
    case Table::kNone:
    case Table::kCarried:
      break;
  }
  return "no table";
}

std::string_view name_of(uint32_t type) {
  constexpr std::string_view kNames[] = {"", "u8", "u32", "i32", "i64", "u64", "f64"};
  static_assert(BERTH_U8 == 1 && BERTH_F64 == 6);
  return kNames[type];
}

void print(const KnownColumn& column) {
  const std::string key = column.name.ends_with(':') ? "KEY" : "";
  const std::string kind = column.list ? "list of " : "";
  std::printf("column %s = %s, %s, since 1.%d\n", (std::string(column.name) + key).c_str(),
              std::string(name_of(column.table)).c_str(),
              (kind + std::string(name_of(column.type))).c_str(), column.since_minor);
}

}  // namespace
}  // namespace berth::model

int main() {
  for (const auto& column : berth::model::known_columns()) berth::model::print(column);
}
