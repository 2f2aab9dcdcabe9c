#include "engine/framework/hooks/model_bridge.h"

#include <string>

#include "engine/framework/hooks/counts_service.h"

namespace berth::framework {

// An id may be in the catalog because somebody asked for it, without there being such a column.
std::string_view ModelBridge::column_id(uint32_t column) {
  if (column == 0 || column >= cluster_.catalog().size()) return {};
  const std::string& id = cluster_.catalog().info(column).id;
  return cluster_.find_column(id) == column ? std::string_view(id) : std::string_view();
}

bool ModelBridge::knows_column(std::string_view id) {
  return model::is_family(id) || cluster_.catalog().find(id) != 0;
}

bool ModelBridge::is_node_dictionary(std::string_view id) {
  model::ColumnId column = cluster_.catalog().find(id);
  return column != 0 && cluster_.catalog().info(column).attribute == model::Attribute::kNodeTaints;
}

uint32_t ModelBridge::match_column(uint32_t selector) {
  return cluster_.find_column("node.matches:" + std::to_string(selector));
}

const void* ModelBridge::other_service(std::string_view id) {
  return id == BERTH_COUNTS_SERVICE ? &counts_service() : nullptr;
}

}  // namespace berth::framework
