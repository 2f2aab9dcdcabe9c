#include "bench/macro/run/selection.h"

#include <fmt/format.h>

#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"

namespace berth::bench {

std::vector<loadgen::Workload> select_workloads(const std::vector<std::string>& names,
                                                const std::string& pattern) {
  std::vector<loadgen::Workload> selected;
  for (const std::string& name : names) {
    Diagnostics diagnostics;
    std::vector<loadgen::Workload> found = loadgen::find_workloads(name, diagnostics);
    for (loadgen::Workload& workload : found)
      if (pattern.empty() || loadgen::name_fits(workload.name, pattern))
        selected.push_back(std::move(workload));
    say_faults(diagnostics);
    // Fail before anything is measured without this file.
    if (found.empty()) throw Error(Place{.file = name, .field = {}}, "there is no workload in it");
  }
  if (!selected.empty()) return selected;
  throw UsageError(fmt::format("no workload of {} fits \"{}\"; berth-bench list shows their names",
                               fmt::join(names, ", "), printable(pattern)));
}

}  // namespace berth::bench
