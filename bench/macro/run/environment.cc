#include "bench/macro/run/environment.h"

#include <flatbuffers/base.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/utsname.h>
#include <tbb/version.h>
#include <unistd.h>

#include <boost/version.hpp>
#include <fstream>

#include "bench/macro/run/process_usage.h"
#include "berth/build_info.h"
#include "engine/base/memory/allocator.h"
#include "engine/base/program/cores.h"

namespace berth::bench {
namespace {

// Above these shares figures count as disturbed.
constexpr double kMostSteal = 0.01, kMostOtherCpu = 0.05;

std::string line_of(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

std::map<std::string, std::string> libraries() {
  return {{"oneTBB", fmt::format("{}.{}", TBB_VERSION_MAJOR, TBB_VERSION_MINOR)},
          {"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
                                BOOST_VERSION % 100)},
          {"flatbuffers", fmt::format("{}.{}.{}", FLATBUFFERS_VERSION_MAJOR,
                                      FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION)},
          {"simdjson", fmt::format("{}.{}.{}", int{simdjson::SIMDJSON_VERSION_MAJOR},
                                   int{simdjson::SIMDJSON_VERSION_MINOR},
                                   int{simdjson::SIMDJSON_VERSION_REVISION})},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                              FMT_VERSION % 100)}};
}

}  // namespace

Environment environment() {
  Environment found;
  found.cpu = cpu_model();
  found.cores = usable_cores();
  found.memory_bytes =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  found.governor = line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (found.governor.empty()) found.governor = "unknown";
  found.kernel = kernel();
  found.version = BERTH_BUILD_VERSION;
  found.commit = BERTH_BUILD_COMMIT;
  found.compiler = BERTH_BUILD_COMPILER;
  found.flags = BERTH_BUILD_FLAGS;
  found.allocator = allocator_name();
  found.libraries = libraries();
  return found;
}

// Columns as in proc(5), /proc/stat. Guest time is included in user and nice.
Neighbours::Ticks Neighbours::Ticks::now() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  stat >> cpu >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  Ticks ticks;
  ticks.busy = user + nice + system + irq + softirq;
  ticks.steal = steal;
  ticks.all = ticks.busy + idle + iowait + steal;
  return ticks;
}

namespace {

double own_seconds() {
  const CpuSeconds own = cpu_seconds(), children = cpu_seconds_of_children();
  return own.user + own.system + children.user + children.system;
}

}  // namespace

Neighbours::Neighbours() : first_(Ticks::now()), own_first_(own_seconds()) {}

Neighbours::Shares Neighbours::so_far() const {
  const Ticks now = Ticks::now();
  const auto all = static_cast<double>(now.all - first_.all);
  if (all <= 0) return {};
  const double own = (own_seconds() - own_first_) * static_cast<double>(sysconf(_SC_CLK_TCK));
  const auto busy = static_cast<double>(now.busy - first_.busy);
  return {static_cast<double>(now.steal - first_.steal) / all, std::max(0.0, busy - own) / all};
}

std::vector<std::string> disturbances(const Neighbours::Shares& shares) {
  std::vector<std::string> found;
  if (shares.steal > kMostSteal)
    found.push_back(
        fmt::format("other machines on this host took {:.1f} % of the time", 100 * shares.steal));
  if (shares.other_cpu > kMostOtherCpu)
    found.push_back(
        fmt::format("other processes took {:.1f} % of the machine's time", 100 * shares.other_cpu));
  return found;
}

}  // namespace berth::bench
