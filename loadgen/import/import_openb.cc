#include "loadgen/import/import_openb.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "engine/base/io/io.h"
#include "engine/base/text/typed_number.h"
#include "loadgen/import/openb_load.h"

namespace berth::loadgen {
namespace {

namespace fs = std::filesystem;
using openb::LoadOptions;
using openb::TraceNode;
using openb::TracePods;

constexpr std::string_view kNodeList = "openb_node_list_";
constexpr std::string_view kPodList = "openb_pod_list_";
constexpr std::string_view kCsv = ".csv";
constexpr size_t kMostBytes = size_t{256} << 20;
constexpr int64_t kMostPodsPerNode = 1'000'000;

// "openb_pod_list_default.csv" becomes "default"; empty if the name has another form.
std::string variant_of(const fs::path& path, std::string_view prefix) {
  const std::string name = path.filename().string();
  if (!name.starts_with(prefix) || !name.ends_with(kCsv)) return {};
  return name.substr(prefix.size(), name.size() - prefix.size() - kCsv.size());
}

// Sorted by name. Throws the system's error if the folder cannot be listed.
std::vector<fs::path> lists_in(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> lists;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; at != end && !error;
       at.increment(error))
    if (!variant_of(at->path(), prefix).empty()) lists.push_back(at->path());
  if (error) throw Error(fmt::format("{}: cannot be listed: {}", folder.string(), error.message()));
  std::ranges::sort(lists);
  return lists;
}

bool has_pods(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) && line.starts_with("name,cpu_milli,memory_mib,num_gpu,gpu_milli");
}

Error no_row(const fs::path& list, const char* what) {
  return Error(Place{.file = list.string(), .field = {}},
               fmt::format("has no row of a {} that can be used", what));
}

// Tables shared by the workloads of a folder.
struct Tables {
  std::vector<std::string> files;
  std::map<std::string, std::vector<TraceNode>> nodes;  // by the list's name: "all_node"
  std::string default_nodes;
};

std::shared_ptr<const Tables> read_tables(const fs::path& folder, Diagnostics& diagnostics) {
  auto tables = std::make_shared<Tables>();
  for (const fs::path& list : lists_in(folder, kNodeList)) {
    tables->files.push_back(list.string());
    try {
      auto nodes =
          openb::read_nodes(read_file(list.string(), kMostBytes), list.string(), diagnostics);
      if (nodes.empty()) throw no_row(list, "node");
      tables->nodes[variant_of(list, kNodeList)] = std::move(nodes);
    } catch (const Error& error) {
      diagnostics.report(error);
    }
  }
  if (tables->nodes.empty()) {
    diagnostics.report(Error(Place{.file = folder.string(), .field = {}},
                             fmt::format("has no list of nodes ({}*{}) that can be used beside the "
                                         "pods",
                                         kNodeList, kCsv)));
    return tables;
  }
  // Prefer the list of all nodes, because pods without GPUs need nodes without GPUs.
  tables->default_nodes =
      tables->nodes.contains("all_node") ? "all_node" : tables->nodes.begin()->first;
  return tables;
}

std::map<std::string, std::string> parameters_of(const Tables& tables, const TracePods& pods) {
  std::map<std::string, std::string> parameters = {{"nodes", tables.default_nodes},
                                                   {"podsPerNode", "110"}};
  if (pods.timed) parameters["lifetimes"] = "true";
  return parameters;
}

std::unique_ptr<Load> open(const Tables& tables, const TracePods& pods, const Workload& workload,
                           const LoadSettings& settings) {
  std::map<std::string, std::string> values = parameters_with(workload, settings);
  const auto nodes = tables.nodes.find(values["nodes"]);
  if (nodes == tables.nodes.end()) {
    std::string names;
    for (const auto& [name, list] : tables.nodes) names += (names.empty() ? "" : ", ") + name;
    throw UsageError(fmt::format("parameter nodes: there is no list \"{}\"; there are {}",
                                 values["nodes"], names));
  }
  if (const auto problem = whole_number_problem(values["podsPerNode"], 1, kMostPodsPerNode))
    throw UsageError("parameter podsPerNode: " + *problem);
  LoadOptions options;
  options.pods_per_node = std::stoll(values["podsPerNode"]);
  const std::string lifetimes = pods.timed ? values["lifetimes"] : "false";
  if (lifetimes != "true" && lifetimes != "false")
    throw UsageError(
        fmt::format("parameter lifetimes: expected true or false, found \"{}\"", lifetimes));
  options.lifetimes = lifetimes == "true";
  std::string note =
      fmt::format("trace {} from {}; seed {};", workload.name, workload.source, settings.seed);
  for (const auto& [name, value] : values) note += fmt::format(" {}={}", name, value);
  note += "; a node's GPUs are one pool of thousandths, so the free share of each is not known";
  return std::make_unique<openb::TraceLoad>(nodes->second, pods, options, std::move(note));
}

Workload make_workload(std::shared_ptr<const Tables> tables, const fs::path& list,
                       Diagnostics& diagnostics) {
  const auto pods = std::make_shared<const TracePods>(
      openb::read_pods(read_file(list.string(), kMostBytes), list.string(), diagnostics));
  if (pods->pods.empty()) throw no_row(list, "pod");
  const std::string variant = variant_of(list, kPodList);
  Workload workload;
  workload.name = "openb/" + (variant.empty() ? list.stem().string() : variant);
  workload.source = list.string();
  workload.files = tables->files;
  workload.files.push_back(workload.source);
  workload.description = fmt::format("{} pods of a GPU cluster's trace{}", pods->pods.size(),
                                     pods->timed ? ", as they came and went" : ", all at once");
  workload.parameters = parameters_of(*tables, *pods);
  const Workload said = workload;
  workload.open = [tables, pods, said](const LoadSettings& settings) {
    return open(*tables, *pods, said, settings);
  };
  return workload;
}

}  // namespace

bool is_openb(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return path.ends_with(kCsv) && has_pods(path);
  for (fs::directory_iterator at(path, error), end; at != end && !error; at.increment(error))
    if (!variant_of(at->path(), kPodList).empty()) return true;
  return false;
}

std::vector<Workload> import_openb(const std::string& path, Diagnostics& diagnostics) {
  const bool folder = fs::is_directory(path);
  const std::vector<fs::path> lists =
      folder ? lists_in(path, kPodList) : std::vector<fs::path>{path};
  const std::shared_ptr<const Tables> tables =
      read_tables(folder ? fs::path(path) : fs::path(path).parent_path(), diagnostics);
  std::vector<Workload> workloads;
  if (tables->nodes.empty()) return workloads;
  for (const fs::path& list : lists) {
    try {
      workloads.push_back(make_workload(tables, list, diagnostics));
    } catch (const Error& error) {
      diagnostics.report(error);
    }
  }
  return workloads;
}

}  // namespace berth::loadgen
