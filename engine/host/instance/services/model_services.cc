#include "engine/host/instance/services/model_services.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/text/suggestion.h"
#include "engine/host/instance/text.h"
#include "engine/model/columns/catalog.h"

namespace berth::host {
namespace {

// The name that was meant, and what follows it of `typed`. Only the name of a family is compared:
// its member may be any text.
std::string nearest_column(std::string_view typed) {
  const size_t colon = typed.find(':');
  const bool of_family = colon != std::string_view::npos;
  const std::string name(of_family ? typed.substr(0, colon + 1) : typed);
  std::vector<std::string> candidates;
  for (const model::KnownColumn& known : model::known_columns()) {
    const bool is_family = known.name.ends_with(':');
    if (is_family && !of_family && known.name == name + ':') return name + ":KEY";
    if (is_family || !of_family)
      candidates.push_back(std::string(known.name) + (is_family && !of_family ? "KEY" : ""));
  }
  // No member of that name is another fault.
  if (of_family && std::ranges::find(candidates, name) != candidates.end()) return {};
  const std::string nearest = nearest_word(name, candidates);
  return nearest.empty() || !of_family ? nearest : nearest + std::string(typed.substr(colon + 1));
}

}  // namespace

std::string column_meant(std::string_view typed) {
  const std::string nearest = nearest_column(typed);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string ModelServices::take_unknown_column() {
  const std::string asked = std::exchange(unknown_column_, {});
  if (asked.empty()) return {};
  return "it asked for the column " + in_quotes(asked) + ", which this Berth does not have" +
         column_meant(asked);
}

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
