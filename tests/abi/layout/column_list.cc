// Prints the columns that plugins may read, as layout_list.cc prints the rest of the ABI:
//
//   column node.label:KEY = nodes, u32, since 1.0
//   column node.ports = nodes, list of u64, since 1.0

#include <cstdio>
#include <string>

#include "engine/model/columns/catalog.h"

namespace berth::model {
namespace {

void print(const KnownColumn& column) {
  const std::string key = column.name.ends_with(':') ? "KEY" : "";
  const std::string kind = column.list ? "list of " : "";
  std::printf("column %s = %s, %s, since 1.%d\n", (std::string(column.name) + key).c_str(),
              std::string(table_name(column.table)).c_str(),
              (kind + std::string(element_name(column.type))).c_str(), column.since_minor);
}

}  // namespace
}  // namespace berth::model

int main() {
  for (const auto& column : berth::model::known_columns()) berth::model::print(column);
}
