#include "loadgen/commands.h"

#include <fmt/format.h>

#include <cstdio>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "loadgen/workload/preset_texts.h"
#include "loadgen/workload/workload.h"
#include "loadgen/workload_list.h"

namespace berth::loadgen {

void list_presets(const output::FormatOption& format) {
  const std::vector<Workload> all = presets();
  format.print(list_forms(all));
}

void print_schema() { fmt::print("{}", schema_text()); }

void show_preset(const std::string& name) {
  for (const PresetText& preset : preset_texts())
    if (preset.name == name) return fmt::print("{}", preset.text);
  throw UsageError(fmt::format("there is no preset \"{}\"; berth-loadgen list shows their names",
                               printable(name)));
}

void check_files(const std::vector<std::string>& files) {
  uint64_t faults = 0;
  for (const std::string& file : files) {
    Diagnostics diagnostics;
    const std::vector<Workload> found = find_workloads(file, diagnostics);
    say_faults(diagnostics);
    faults += diagnostics.count();
    for (const Workload& workload : found) {
      if (workload.missing.empty()) {
        fmt::print("{}: {} is valid\n", printable(file), printable(workload.name));
      } else {
        fmt::print("{}: {} needs features that are not built: {}\n", printable(file),
                   printable(workload.name),
                   printable(fmt::format("{}", fmt::join(workload.missing, ", "))));
      }
    }
  }
  if (faults != 0) throw Error(fmt::format("{} fault{} found", faults, faults == 1 ? "" : "s"));
}

}  // namespace berth::loadgen
