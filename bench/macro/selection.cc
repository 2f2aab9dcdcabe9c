#include "bench/macro/selection.h"

#include <fmt/format.h>

#include <cstdio>

namespace berth::bench {

std::vector<loadgen::Workload> select_workloads(const std::vector<std::string>& names,
                                                const std::string& pattern) {
  std::vector<loadgen::Workload> selected;
  for (const std::string& name : names) {
    Diagnostics diagnostics;
    for (loadgen::Workload& workload : loadgen::find_workloads(name, diagnostics))
      if (pattern.empty() || loadgen::name_fits(workload.name, pattern))
        selected.push_back(std::move(workload));
    for (const Error& error : diagnostics.kept())
      fmt::print(stderr, "berth-bench: {}\n", error.what());
    if (diagnostics.count() > diagnostics.kept().size())
      fmt::print(stderr, "berth-bench: and {} more\n",
                 diagnostics.count() - diagnostics.kept().size());
  }
  if (!selected.empty()) return selected;
  const std::string of = fmt::format("{}", fmt::join(names, ", "));
  if (pattern.empty()) throw Error("there is no workload in " + of);
  throw Error(fmt::format("no workload of {} fits \"{}\"; berth-bench list shows their names", of,
                          printable(pattern)));
}

}  // namespace berth::bench
