#include "engine/host/instance/services/model_services.h"

#include <string>

#include "engine/base/assert.h"

namespace berth::host {

// The catalog also has ids that were asked for and have no column.
std::string_view ModelServices::column_id(uint32_t column) {
  if (column == 0 || column >= cluster_.catalog().size()) return {};
  const std::string& id = cluster_.catalog().info(column).id;
  return cluster_.find_column(id) == column ? std::string_view(id) : std::string_view();
}

bool ModelServices::knows_column(std::string_view id) {
  return model::is_family(id) || cluster_.catalog().find(id) != 0;
}

bool ModelServices::is_node_dictionary(std::string_view id) {
  model::ColumnId column = cluster_.catalog().find(id);
  return column != 0 && cluster_.catalog().info(column).attribute == model::Attribute::kNodeTaints;
}

uint32_t ModelServices::match_column(uint32_t selector) {
  BERTH_ASSERT(has_selector(selector));
  return cluster_.find_column("node.matches:" + std::to_string(selector));
}

}  // namespace berth::host
