#include "tests/apiserver/tables/table.h"

#include <utility>

namespace berth::apiserver {
namespace {

json::array definitions(const Columns& columns) {
  json::array made;
  for (const Column& column : columns.columns) {
    made.push_back({{"name", column.name},
                    {"type", "string"},
                    {"format", column.name == "Name" ? "name" : ""},
                    {"description", column.name},
                    {"priority", column.wide ? 1 : 0}});
  }
  return made;
}

}  // namespace

void Table::add(json::value object) {
  json::object row{{"cells", columns_.cells(object, now_)}};
  if (include_ == Include::kMetadata) {
    row["object"] = {{"kind", "PartialObjectMetadata"},
                     {"apiVersion", "meta.k8s.io/v1"},
                     {"metadata", object.at("metadata")}};
  } else if (include_ == Include::kObject) {
    row["object"] = std::move(object);
  }
  rows_.push_back(std::move(row));
}

std::string Table::finish(json::object metadata) {
  return json::serialize(json::object{{"kind", "Table"},
                                      {"apiVersion", "meta.k8s.io/v1"},
                                      {"metadata", std::move(metadata)},
                                      {"columnDefinitions", definitions(columns_)},
                                      {"rows", std::move(rows_)}});
}

std::string table_of(const Columns& columns, Table::Include include, Nanoseconds now,
                     std::string_view text) {
  json::value object = parse_object(text);
  json::object metadata{{"resourceVersion", text_at(object, "metadata.resourceVersion")}};
  Table table(columns, include, now);
  table.add(std::move(object));
  return table.finish(std::move(metadata));
}

}  // namespace berth::apiserver
