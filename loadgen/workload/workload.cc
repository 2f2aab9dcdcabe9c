#include "loadgen/workload/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/document/document.h"
#include "loadgen/generate/generator.h"
#include "loadgen/import/import_cluster.h"
#include "loadgen/import/import_openb.h"
#include "loadgen/scheduler_perf/import_scheduler_perf.h"
#include "loadgen/workload/parse/parse_workload.h"
#include "loadgen/workload/preset_texts.h"

namespace berth::loadgen {
namespace {

using document::Document;
using document::Value;

// `document` owns `root`.
void add_workload(const Document& document, Value root, const std::string& source,
                  Diagnostics& diagnostics, std::vector<Workload>& to) {
  Workload workload;
  workload.source = source;
  const uint64_t before = diagnostics.count();
  workload.parameters = workload_parameters(root, diagnostics);
  if (diagnostics.count() != before) return;
  const std::optional<WorkloadSpec> spec = parse_workload(root, workload.parameters, diagnostics);
  if (!spec) return;
  for (const ArrivalSpec& arrival : spec->arrivals)
    if (!arrival.times_file.empty()) workload.files.push_back(arrival.times_file);
  workload.name = spec->name;
  workload.description = spec->description;
  workload.for_controllers = spec->for_controllers();
  const Workload said = workload;
  workload.open = [document, root, said](const LoadSettings& settings) -> std::unique_ptr<Load> {
    const auto parameters = parameters_with(said, settings);
    Diagnostics found;
    std::optional<WorkloadSpec> with_them = parse_workload(root, parameters, found);
    if (!with_them) throw UsageError(found.kept().front());  // its own values were parsed above
    return std::make_unique<Generator>(std::move(*with_them), settings.seed, parameters);
  };
  to.push_back(std::move(workload));
}

// Adds the workloads of a file in Berth's own format.
void add_workload_file(const Document& document, const std::string& name, Diagnostics& diagnostics,
                       std::vector<Workload>& to) {
  for (const Value root : document.roots()) {
    if (is_workload(root)) {
      add_workload(document, root, name, diagnostics, to);
    } else {
      Place place = root.place();
      place.field = "kind";
      diagnostics.report(Error(std::move(place), "expected `kind: Workload`"));
    }
  }
}

bool holds_workloads(const Document& document) {
  return std::ranges::any_of(document.roots(), is_workload);
}

void add_scheduler_perf(const Document& document, const std::string& name, Diagnostics& diagnostics,
                        std::vector<Workload>& to) {
  for (Workload& workload : import_scheduler_perf(document, name, diagnostics))
    to.push_back(std::move(workload));
}

void add_cluster(const Document& document, const std::string& name, Diagnostics& diagnostics,
                 std::vector<Workload>& to) {
  for (Workload& workload : import_cluster(document, name, diagnostics))
    to.push_back(std::move(workload));
}

// Formats of YAML and JSON files. The first one that recognises the document reads it.
struct FileFormat {
  bool (*recognise)(const Document& document);
  void (*read)(const Document& document, const std::string& name, Diagnostics& diagnostics,
               std::vector<Workload>& to);
};
constexpr FileFormat kFileFormats[] = {
    {holds_workloads, add_workload_file},
    {is_scheduler_perf, add_scheduler_perf},
    {is_cluster, add_cluster},
};

// Formats of folders and of files that are neither YAML nor JSON.
struct PathFormat {
  bool (*recognise)(const std::string& path);
  std::vector<Workload> (*read)(const std::string& path, Diagnostics& diagnostics);
};
constexpr PathFormat kPathFormats[] = {
    {is_openb, import_openb},
};

[[noreturn]] void refuse_unknown(const std::string& name, const std::vector<Workload>& presets) {
  std::string known;
  for (const Workload& workload : presets) known += (known.empty() ? "" : ", ") + workload.name;
  const Error error(
      Place{.file = name, .field = {}},
      fmt::format("there is no such file, and no such preset; presets are {}", known));
  if (name.find_first_of("./") == name.npos) throw UsageError(error);
  throw error;
}

// Of the known formats, only the openb trace is a folder.
[[noreturn]] void refuse_folder(const std::string& name) {
  constexpr char kDefinition[] = "performance-config.yaml";
  const bool holds_definition = std::filesystem::exists(std::filesystem::path(name) / kDefinition);
  throw Error(Place{.file = name, .field = {}},
              holds_definition
                  ? fmt::format("is a folder: name the file {} in it", kDefinition)
                  : fmt::format("is a folder without an openb trace: expected a file, such as a "
                                "{}, a workload or a cluster dump",
                                kDefinition));
}

}  // namespace

bool name_fits(std::string_view name, std::string_view pattern) {
  const auto character = [&](size_t at) {  // the end of the character at `at`
    do ++at;
    while (at < name.size() && (static_cast<uint8_t>(name[at]) & 0xC0) == 0x80);
    return at;
  };
  // Backtracking: the position after the last star, and where in the name the rest was tried.
  std::optional<size_t> star;
  size_t tried = 0, at = 0, in_pattern = 0;
  while (at < name.size()) {
    const char wanted = in_pattern < pattern.size() ? pattern[in_pattern] : '\0';
    if (in_pattern < pattern.size() && wanted == '*') {
      star = ++in_pattern;
      tried = at;
    } else if (in_pattern < pattern.size() && wanted == '?') {
      at = character(at);
      ++in_pattern;
    } else if (in_pattern < pattern.size() && wanted == name[at]) {
      ++at;
      ++in_pattern;
    } else if (star) {
      in_pattern = *star;
      at = tried = character(tried);
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == pattern.npos;
}

std::map<std::string, std::string> parameters_with(const Workload& workload,
                                                   const LoadSettings& settings) {
  std::map<std::string, std::string> parameters = workload.parameters;
  for (const auto& [name, value] : settings.parameters) {
    const auto found = parameters.find(name);
    if (found == parameters.end()) {
      std::string known;
      for (const auto& [other, text] : parameters) known += (known.empty() ? "" : ", ") + other;
      throw UsageError(fmt::format("workload {} has no parameter \"{}\"; it has {}", workload.name,
                                   name, known.empty() ? "none" : known));
    }
    found->second = value;
  }
  return parameters;
}

std::vector<Workload> presets() {
  std::vector<Workload> result;
  Diagnostics diagnostics;
  for (const PresetText& preset : preset_texts()) {
    const std::string file = fmt::format("preset {}", preset.name);
    const Document document = Document::parse(preset.text, file, diagnostics, workload_limits());
    add_workload_file(document, "preset", diagnostics, result);
  }
  if (diagnostics.count() != 0) throw diagnostics.kept().front();
  return result;
}

std::vector<Workload> find_workloads(const std::string& name, Diagnostics& diagnostics) {
  std::vector<Workload> all = presets();
  const auto preset = std::ranges::find(all, name, &Workload::name);
  if (preset != all.end()) return {std::move(*preset)};
  if (name != "-" && !std::filesystem::exists(name)) refuse_unknown(name, all);

  for (const PathFormat& format : kPathFormats)
    if (format.recognise(name)) return format.read(name, diagnostics);
  if (std::filesystem::is_directory(name)) refuse_folder(name);
  const uint64_t before = diagnostics.count();
  document::Limits limits = workload_limits();
  limits.bytes = document::Limits::kMaxBytes;  // cluster dumps can be large
  const Document document = Document::read(name, diagnostics, limits);
  const uint64_t malformed = diagnostics.count() - before;
  std::vector<Workload> result;
  for (const FileFormat& format : kFileFormats) {
    if (!format.recognise(document)) continue;
    format.read(document, name, diagnostics, result);
    for (Workload& workload : result) {
      workload.files.push_back(name);
      workload.faults += malformed;
    }
    return result;
  }
  if (malformed == 0)
    throw Error(Place{.file = name, .field = {}},
                "holds no workload: expected `kind: Workload`, a list of test cases with a "
                "workloadTemplate, or Kubernetes objects");
  return result;
}

}  // namespace berth::loadgen
