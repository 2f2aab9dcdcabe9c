#include "cli/commands/declared.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/error.h"
#include "engine/base/text/printable.h"
#include "engine/host/instance/validate.h"
#include "engine/model/columns/catalog.h"
#include "engine/validator/trial/session.h"

namespace berth::cli {
namespace {

// Of a name that the catalog does not have, the table and the type are empty.
DeclaredInput declared_input(const std::string& column) {
  const model::KnownColumn* known = model::find_known_column(column);
  if (known == nullptr) return {column, {}, {}};
  return {column, std::string(model::table_name(known->table)),
          std::string(model::element_name(known->type)) + (known->list ? " list" : "")};
}

std::string dependence(uint32_t depends) {
  constexpr std::array<const char*, 3> kNames = {"declared", "feasible", "external"};
  return kNames.at(depends);
}

DeclaredHook declared_hook(const host::Hook& hook) {
  DeclaredHook made{
      std::string(point_name(hook.point())), dependence(hook.depends()), hook.space(), {}};
  for (const std::string& input : hook.inputs()) made.inputs.push_back(declared_input(input));
  return made;
}

// Lines below a heading, the first beside it.
std::string section(const char* heading, const std::vector<std::string>& lines) {
  return fmt::format("{:<19}{}\n", heading, fmt::join(lines, "\n                   "));
}

}  // namespace

Declared declared_by(const std::shared_ptr<const host::Library>& library) {
  Declared declared;
  const host::Arguments none{.value = {}, .place = {.file = {}, .field = "args"}};
  // `init` gets nothing that `validate` refuses.
  for (const Error& error : host::validate(*library, none))
    declared.problem += (declared.problem.empty() ? "" : "; ") + std::string(error.what());
  if (!declared.problem.empty()) return declared;
  try {
    const validator::Session session({.file = library->path(), .arguments = none, .seed = 1},
                                     library);
    for (const Point point : library->points())
      declared.hooks.push_back(declared_hook(*session.instance().hook(point)));
    declared.services = session.instance().services();
  } catch (const validator::Conviction& failure) {
    declared.problem = failure.what();
    declared.unusable = true;
  }
  return declared;
}

std::string declared_text(const Declared& declared) {
  if (!declared.problem.empty())
    return section("Inputs:",
                   {(declared.unusable ? "not known: " : "not known without arguments: ") +
                    printable(declared.problem)});
  std::vector<std::string> lines;
  for (const DeclaredHook& hook : declared.hooks) {
    if (!hook.space.empty()) lines.push_back(hook.point + " over " + printable(hook.space));
    for (const DeclaredInput& input : hook.inputs)
      lines.push_back(fmt::format("{} {} ({}, {})", hook.point, printable(input.column),
                                  input.table, input.type));
    if (hook.depends != "declared") lines.push_back(hook.point + " depends: " + hook.depends);
  }
  if (lines.empty()) lines.emplace_back("none");
  std::string text = section("Inputs:", lines);
  if (declared.services.empty()) return text;
  std::vector<std::string> services;
  for (const std::string& service : declared.services) services.push_back(printable(service));
  return text + section("Services:", services);
}

void write_declared(document::PrettyJsonWriter& json, const Declared& declared) {
  if (!declared.problem.empty()) {
    json.member("inputs_not_known", declared.problem);
    return;
  }
  json.array("hooks", declared.hooks, [&](const DeclaredHook& hook) {
    json.object([&] {
      json.member("point", hook.point);
      json.member("depends", hook.depends);
      if (!hook.space.empty()) json.member("space", hook.space);
      json.array("inputs", hook.inputs, [&](const DeclaredInput& input) {
        json.object([&] {
          json.member("column", input.column);
          json.member("table", input.table);
          json.member("type", input.type);
        });
      });
    });
  });
  json.texts("services", declared.services);
}

}  // namespace berth::cli
