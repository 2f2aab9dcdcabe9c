#include "bench/macro/sweep/sweep_document.h"

#include <fmt/format.h>
#include <rapidjson/pointer.h>

#include <algorithm>
#include <set>

#include "bench/macro/results/results.h"
#include "engine/base/error.h"
#include "engine/base/io/crc32c.h"
#include "engine/base/io/io.h"

namespace berth::bench {
namespace {

using rapidjson::Document;
using rapidjson::Value;

using Texts = std::map<std::string, std::string>;

Value object_of(const Texts& texts, Document& of) {
  Value object(rapidjson::kObjectType);
  for (const auto& [name, value] : texts)
    object.AddMember(text(name, of), text(value, of), of.GetAllocator());
  return object;
}

Value list_of(const std::vector<std::string>& texts, Document& of) {
  Value list(rapidjson::kArrayType);
  for (const std::string& one : texts) list.PushBack(text(one, of), of.GetAllocator());
  return list;
}

Value list_of(const std::vector<uint64_t>& numbers, Document& of) {
  Value list(rapidjson::kArrayType);
  for (const uint64_t number : numbers) list.PushBack(number, of.GetAllocator());
  return list;
}

Value axes_of(const SettingsGrid& grid, Document& of) {
  Value axes(rapidjson::kArrayType);
  for (const Axis& axis : grid.axes()) {
    Value one(rapidjson::kObjectType);
    one.AddMember("name", text(axis.name, of), of.GetAllocator());
    one.AddMember("values", list_of(axis.values, of), of.GetAllocator());
    axes.PushBack(one, of.GetAllocator());
  }
  return axes;
}

const char* kind_name(Objective::Kind kind) {
  switch (kind) {
    case Objective::Kind::kShare:
      return "share";
    case Objective::Kind::kSeconds:
      return "seconds";
    case Objective::Kind::kRate:
      return "rate";
    case Objective::Kind::kCount:
      break;
  }
  return "count";
}

Value columns_of(const SweepFigures& figures, Document& of) {
  Value columns(rapidjson::kArrayType);
  for (const Objective& objective : figures.columns) {
    Value one(rapidjson::kObjectType);
    auto& allocator = of.GetAllocator();
    one.AddMember("name", text(objective.name, of), allocator);
    one.AddMember("title", text(objective.title, of), allocator);
    one.AddMember("kind", rapidjson::StringRef(kind_name(objective.kind)), allocator);
    const bool lower = objective.better == Better::kLower;
    one.AddMember("better", rapidjson::StringRef(lower ? "lower" : "higher"), allocator);
    columns.PushBack(one, allocator);
  }
  return columns;
}

Value values_of_row(const SweepRow& row, const SweepFigures& figures, Document& of) {
  Value values(rapidjson::kObjectType);
  for (size_t i = 0; i < row.values.size(); ++i)
    if (row.values[i])
      values.AddMember(text(figures.columns[i].name, of), Value(*row.values[i]), of.GetAllocator());
  return values;
}

Value rows_value(const Sweep& sweep, Document& of) {
  Value rows(rapidjson::kArrayType);
  for (const SweepRow& row : sweep.rows) {
    Value one(rapidjson::kObjectType);
    auto& allocator = of.GetAllocator();
    one.AddMember("label", text(settings_text(row.settings), of), allocator);
    one.AddMember("settings", object_of({row.settings.begin(), row.settings.end()}, of), allocator);
    one.AddMember("combinations", list_of(row.combinations, of), allocator);
    one.AddMember("expected", row.expected, allocator);
    one.AddMember("values", values_of_row(row, sweep.figures, of), allocator);
    one.AddMember("front", row.front, allocator);
    rows.PushBack(one, allocator);
  }
  return rows;
}

Value sweep_value(const Sweep& sweep, Document& of) {
  Value value(rapidjson::kObjectType);
  auto& allocator = of.GetAllocator();
  value.AddMember("load", object_of(sweep.shared.load, of), allocator);
  value.AddMember("options", object_of(sweep.shared.options, of), allocator);
  value.AddMember("axes", axes_of(sweep.grid, of), allocator);
  value.AddMember("combinations", sweep.grid.size(), allocator);
  value.AddMember("part", text(fmt::format("{}/{}", sweep.part.number, sweep.part.of), of),
                  allocator);
  value.AddMember("interrupted", sweep.interrupted, allocator);
  value.AddMember("failed", list_of(sweep.failed, of), allocator);
  value.AddMember("front", list_of(sweep.figures.front_names(), of), allocator);
  value.AddMember("columns", columns_of(sweep.figures, of), allocator);
  value.AddMember("rows", rows_value(sweep, of), allocator);
  return value;
}

// Of a document that may be of anybody. Throws Error for what is missing or of another type.
const Value& member(const Value& object, const char* name) {
  const auto at = object.IsObject() ? object.FindMember(name) : Value::ConstMemberIterator();
  if (!object.IsObject() || at == object.MemberEnd())
    throw Error(fmt::format("lacks {} of a sweep", name));
  return at->value;
}

std::string text_in(const Value& value, const char* name) {
  if (!value.IsString()) throw Error(fmt::format("expected texts in {} of the sweep", name));
  return {value.GetString(), value.GetStringLength()};
}

std::vector<std::string> texts_in(const Value& object, const char* name) {
  const Value& list = member(object, name);
  if (!list.IsArray()) throw Error(fmt::format("expected a list as {} of the sweep", name));
  std::vector<std::string> texts;
  for (const Value& one : list.GetArray()) texts.push_back(text_in(one, name));
  return texts;
}

Texts object_in(const Value& object, const char* name) {
  const Value& members = member(object, name);
  if (!members.IsObject()) throw Error(fmt::format("expected an object as {} of the sweep", name));
  Texts texts;
  for (const auto& one : members.GetObject())
    texts.emplace(text_in(one.name, name), text_in(one.value, name));
  return texts;
}

SettingsGrid grid_in(const Value& sweep) {
  const Value& list = member(sweep, "axes");
  if (!list.IsArray()) throw Error("expected a list as axes of the sweep");
  std::vector<Axis> axes;
  for (const Value& one : list.GetArray())
    axes.push_back(parse_axis(fmt::format("{}={}", text_in(member(one, "name"), "axes"),
                                          fmt::join(texts_in(one, "values"), ","))));
  return SettingsGrid(std::move(axes), UINT64_MAX);
}

bool is_bool(const Value& object, const char* name) {
  const auto at = object.FindMember(name);
  return at != object.MemberEnd() && at->value.IsBool();
}

// The preconditions of rows_of().
void check_results(const Document& document, const SettingsGrid& grid) {
  std::set<uint64_t> known;
  for (const Value& result : document["results"].GetArray()) {
    const Value& combination = member(result, "combination");
    if (!combination.IsUint64() || combination.GetUint64() >= grid.size() ||
        !is_bool(result, "interrupted"))
      throw Error("a result is of no combination of the sweep");
    if (!known.insert(combination.GetUint64()).second)
      throw Error(fmt::format("two results are of combination {}", combination.GetUint64()));
  }
}

std::vector<uint64_t> failed_in(const Value& sweep, const SettingsGrid& grid) {
  const Value& list = member(sweep, "failed");
  if (!list.IsArray()) throw Error("expected a list as failed of the sweep");
  std::vector<uint64_t> failed;
  for (const Value& one : list.GetArray()) {
    if (!one.IsUint64() || one.GetUint64() >= grid.size())
      throw Error("what failed is no combination of the sweep");
    failed.push_back(one.GetUint64());
  }
  return failed;
}

}  // namespace

std::string contents_of(const std::vector<std::string>& files) {
  uint32_t crc = 0;
  for (const std::string& file : files) {
    if (file.empty() || file == "-") continue;
    const std::string content = read_file(file);
    crc = crc32c({reinterpret_cast<const uint8_t*>(content.data()), content.size()}, crc);
  }
  return fmt::format("{:08x}", crc);
}

void add_sweep(Document& document, Sweep& sweep) {
  sweep.rows = rows_of(sweep.grid, document["results"], sweep.figures);
  document.RemoveMember("sweep");
  document.AddMember("sweep", sweep_value(sweep, document), document.GetAllocator());
}

Sweep read_sweep(const Document& document) {
  const auto at = document.FindMember("sweep");
  if (at == document.MemberEnd())
    throw Error("is no sweep; expected what berth-bench sweep -o json writes");
  Sweep sweep;
  sweep.grid = grid_in(at->value);
  sweep.shared = {object_in(at->value, "load"), object_in(at->value, "options")};
  sweep.figures = SweepFigures::with_front(texts_in(at->value, "front"), "front");
  sweep.part = parse_part(text_in(member(at->value, "part"), "part"));
  sweep.failed = failed_in(at->value, sweep.grid);
  sweep.interrupted = is_bool(at->value, "interrupted") && at->value["interrupted"].GetBool();
  check_results(document, sweep.grid);
  return sweep;
}

}  // namespace berth::bench
