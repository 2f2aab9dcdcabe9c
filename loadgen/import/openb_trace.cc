#include "loadgen/import/openb_trace.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/model/objects/names.h"
#include "loadgen/import/csv.h"

namespace berth::loadgen::openb {
namespace {

// Limits that keep sums far below the range of int64 in every unit.
constexpr int64_t kMostMilliCpu = 1'000'000'000;
constexpr int64_t kMostMebibytes = int64_t{1} << 40;
constexpr int64_t kMostGpus = 1'000'000;
constexpr int64_t kMostSeconds = 4'000'000'000;
constexpr int64_t kWholeGpu = 1000;
constexpr size_t kLongestNodeName = 253;

using Names = std::set<std::string, std::less<>>;

std::string read_name(CsvReader& in, const char* column, Names& names) {
  const std::string name(in.text(column));
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
  if (name.empty() || name.size() > kLongestNodeName || !plain) {
    in.report(column, "expected a name of lower case letters, digits, - and .");
  } else if (names.contains(name)) {
    in.report(column, "\"" + name + "\" is there already: this row is left out");
  }
  return name;
}

std::vector<std::string> split_models(std::string_view text) {
  std::vector<std::string> models;
  while (!text.empty()) {
    const size_t bar = text.find('|');
    if (bar != 0) models.emplace_back(text.substr(0, bar));
    text.remove_prefix(bar == text.npos ? text.size() : bar + 1);
  }
  return models;
}

TracePod read_pod(CsvReader& in, bool timed, Names& names) {
  TracePod pod;
  pod.name = read_name(in, "name", names);
  pod.cpu_milli = in.number("cpu_milli", 0, kMostMilliCpu);
  pod.memory_mib = in.number("memory_mib", 0, kMostMebibytes);
  pod.gpus = in.number("num_gpu", 0, kMostGpus);
  pod.gpu_milli = in.number("gpu_milli", 0, kWholeGpu);
  pod.models = split_models(in.text("gpu_spec"));
  if (pod.gpus > 1 && pod.gpu_milli != kWholeGpu)
    in.report("gpu_milli", "a pod with several GPUs has all of each: expected 1000");
  if ((pod.gpus == 0) != (pod.gpu_milli == 0))
    in.report("gpu_milli", "num_gpu and gpu_milli must both be 0 or neither");
  if (!timed) return pod;
  pod.created = in.number("creation_time", 0, kMostSeconds);
  pod.deleted = in.number("deletion_time", 0, kMostSeconds);
  if (in.ok() && pod.deleted < pod.created)
    in.report("deletion_time", "is before the creation_time");
  return pod;
}

void add_amount(model::ResourceList& list, const char* name, model::Quantity amount) {
  if (!amount.zero()) list.emplace_back(name, amount);
}

model::Quantity mebibytes(int64_t amount) {
  return model::Quantity::from_units(amount * (int64_t{1} << 20));
}

}  // namespace

std::vector<TraceNode> read_nodes(std::string_view text, const std::string& file,
                                  Diagnostics& diagnostics) {
  CsvReader in(text, file, {"sn", "cpu_milli", "memory_mib", "gpu", "model"}, diagnostics);
  std::vector<TraceNode> nodes;
  Names names;
  while (in.next()) {
    TraceNode node;
    node.name = read_name(in, "sn", names);
    node.cpu_milli = in.number("cpu_milli", 0, kMostMilliCpu);
    node.memory_mib = in.number("memory_mib", 0, kMostMebibytes);
    node.gpus = in.number("gpu", 0, kMostGpus);
    node.model = in.text("model");
    if (!in.ok()) continue;
    names.insert(node.name);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

TracePods read_pods(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  CsvReader in(text, file, {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"},
               diagnostics);
  TracePods result;
  result.timed = in.has("creation_time") && in.has("deletion_time");
  Names names;
  while (in.next()) {
    TracePod pod = read_pod(in, result.timed, names);
    if (!in.ok()) continue;
    names.insert(pod.name);
    result.end = std::max({result.end, pod.created, pod.deleted});
    result.pods.push_back(std::move(pod));
  }
  std::ranges::stable_sort(result.pods, {}, &TracePod::created);
  return result;
}

model::Node make_node(const TraceNode& node, int64_t most_pods) {
  model::Node result;
  result.name = node.name;
  if (!node.model.empty()) result.labels.emplace_back(kGpuModel, node.model);
  result.labels.emplace_back(model::kHostnameLabel, node.name);
  add_amount(result.allocatable, kGpuMilli, model::Quantity::from_units(node.gpus * kWholeGpu));
  result.allocatable.emplace_back("cpu", model::Quantity::from_milli(node.cpu_milli));
  result.allocatable.emplace_back("memory", mebibytes(node.memory_mib));
  result.allocatable.emplace_back("pods", model::Quantity::from_units(most_pods));
  return result;
}

model::PodSpec make_spec(const TracePod& pod) {
  model::PodSpec spec;
  model::Container container;
  container.name = "main";
  add_amount(container.requests, kGpuMilli, model::Quantity::from_units(pod.gpus * pod.gpu_milli));
  add_amount(container.requests, "cpu", model::Quantity::from_milli(pod.cpu_milli));
  add_amount(container.requests, "memory", mebibytes(pod.memory_mib));
  spec.containers.push_back(std::move(container));
  if (!pod.models.empty())
    spec.affinity.node_required = model::NodeSelector{{{{{kGpuModel, "In", pod.models}}, {}}}};
  return spec;
}

}  // namespace berth::loadgen::openb
