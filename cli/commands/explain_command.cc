// berth explain: for one pod, the verdict of every filter and the score of every plugin on every
// node.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/admission_plugins.h"
#include "cli/commands/command.h"
#include "cli/explain/explanation_page.h"
#include "cli/page/report_option.h"
#include "cli/reports/remark_text.h"
#include "cli/run/known_nodes.h"
#include "engine/base/io/former_files.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/printable.h"
#include "engine/drive/work_source.h"
#include "engine/explain/explanation.h"
#include "engine/ingest/stream/cluster_objects.h"
#include "engine/ingest/workloads/creation.h"
#include "engine/ingest/written/whole_reader.h"
#include "engine/output/format_option.h"
#include "engine/played/controllers/disruption/budget_keeper.h"
#include "engine/runtime/intake/intake.h"
#include "engine/startup/evaluation_option.h"
#include "engine/startup/log_level_option.h"
#include "engine/startup/notices.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::cli {
namespace {

struct ExplainOptions {
  std::vector<std::string> dumps;  // a cluster and its pods; else the cluster:
  std::vector<std::string> cluster;
  std::string pod;
  std::string config;
  config::RulesChoice rules;
  std::shared_ptr<const output::FormatOption> format;
  bool admission = true;
  AdmissionPlugins admission_plugins;
  std::string report;  // empty: none is written
};

struct ClusterFile {
  std::string path;
  ingest::Objects objects;
};
using ClusterFiles = std::vector<ClusterFile>;

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

ingest::Validation validation_of(bool admission, const runtime::Core& core) {
  return admission ? ingest::validation_by(core.configuration().rules.version())
                   : ingest::Validation::kNone;
}

// The first fault, with the others below it. Requires: there is one.
Error first_fault(const Diagnostics& diagnostics) {
  const std::vector<Error>& kept = diagnostics.kept();
  std::vector<std::string> others;
  for (size_t i = 1; i < kept.size(); ++i) others.emplace_back(kept[i].what());
  return {kept[0].place(), kept[0].message(), others};
}

// No controller acts here, but budgets are counted.
void say_remarks(ingest::Remarks remarks) {
  ingest::Remarks budgets;
  std::swap(budgets.budgets_without_status, remarks.budgets_without_status);
  std::swap(budgets.budgets_with_status, remarks.budgets_with_status);
  print_remarks(remarks);
  print_remarks(budgets, played::ControllerList::parse("disruption-controller"));
}

// Reads a file of Kubernetes objects, or a stream with a cluster. Returns the number of faults.
// Objects that the core keeps whole go to it as they are read, here and below.
uint64_t read_cluster(const std::string& path, ingest::Validation validation, runtime::Core& core,
                      ClusterFiles& files) {
  std::unique_ptr<drive::WorkSource> source =
      drive::open_work(path, false, false, nullptr, validation, core.door().reads_whole());
  ingest::Objects& cluster = files.emplace_back(ClusterFile{path, {}}).objects;
  drive::Work work;
  while (source->next(work)) {
    if (!work.whole.empty()) core.door().keep(work.whole);
    if (work.stream == nullptr) {
      cluster = work.files.front().objects;
    } else if (work.stream->kind == ingest::BatchKind::kCluster) {
      ingest::append(work.stream->changes, cluster);
    } else if (work.stream->kind != ingest::BatchKind::kTemplates &&
               work.stream->kind != ingest::BatchKind::kNote &&
               work.stream->kind != ingest::BatchKind::kEnd) {
      throw Error(Place{.file = path, .byte = work.stream->offset, .field = {}},
                  "the stream holds more than a cluster");
    }
  }
  say_faults(source->diagnostics());
  say_remarks(of_cluster(source->remarks()));
  return source->diagnostics().count();
}

// Reads dumps, whose manifests make their pods. Returns the number of faults.
uint64_t read_dumps(const ExplainOptions& options, runtime::Core& core, ClusterFiles& files) {
  ingest::Creation creation([] { return std::vector<model::Node>(); }, options.admission,
                            options.admission_plugins.read(options.admission));
  const std::unique_ptr<drive::WorkSource> source =
      drive::open_dumps(options.dumps, false, false, &creation,
                        validation_of(options.admission, core), core.door().reads_whole());
  drive::Work work;
  while (source->next(work)) {
    if (work.stream != nullptr)
      throw Error(Place{.file = options.dumps.front(), .field = {}},
                  "is a stream: convert it first, with berth convert --to json");
    if (!work.whole.empty()) core.door().keep(work.whole);
    for (const runtime::WorkFile& file : work.files) files.push_back({file.path, file.objects});
  }
  say_faults(source->diagnostics());
  say_remarks(source->remarks());
  return source->diagnostics().count();
}

std::vector<model::Node> nodes_of(const ClusterFiles& cluster) {
  std::vector<model::Node> nodes;
  for (const ClusterFile& file : cluster)
    append(nodes, model::objects_of<model::Node>(file.objects.others));
  return nodes;
}

// True if `which` names the pod: NAME or NAMESPACE/NAME, each also behind "pod/", as -o name and
// kubectl print names.
bool is_called(const model::Pod& pod, std::string_view which) {
  const std::string full = pod.namespace_name + "/" + pod.name;
  if (which == pod.name || which == full) return true;
  constexpr std::string_view kKind = "pod/";
  if (!which.starts_with(kKind)) return false;
  which.remove_prefix(kKind.size());
  return which == pod.name || which == full;
}

// The error for a name that several pods have, or one that is in several files. Requires: there are
// two at least.
Error several_pods(const std::string& which, const std::vector<const model::Pod*>& named) {
  constexpr size_t kMost = 3;
  std::vector<std::string> names;
  for (const model::Pod* pod : named) {
    std::string name = "pod/" + pod->namespace_name + "/" + pod->name;
    const bool is_new = std::ranges::find(names, name) == names.end();
    if (is_new && names.size() < kMost) names.push_back(std::move(name));
  }
  if (names.size() == 1)
    return Error(fmt::format("{} is {} times in the cluster: give the files that have it once",
                             names[0], named.size()));
  return Error(fmt::format("there are {} pods named \"{}\" in the cluster: name one of them, as {}",
                           named.size(), which, fmt::join(names, " or ")));
}

// Finds a pod of the cluster files by its name, or reads the only pod of a file, or the first of
// the pods of the only workload. Services and controllers of that file are added to the cluster, as
// in a run.
model::Pod find_pod(const ExplainOptions& options, runtime::Core& core, ClusterFiles& cluster) {
  const std::string& which = options.pod;
  std::vector<const model::Pod*> named;
  for (const ClusterFile& file : cluster)
    for (const model::Pod& pod : file.objects.pods)
      if (is_called(pod, which)) named.push_back(&pod);
  if (named.size() == 1) return *named[0];
  if (named.size() > 1) throw several_pods(which, named);
  Diagnostics diagnostics;
  ingest::Objects objects;
  std::vector<ingest::WholeObject> whole;
  try {
    ingest::ObjectReader reader(diagnostics, ingest::Defaults::kApiServer,
                                ingest::Workloads::kManifests,
                                validation_of(options.admission, core));
    if (core.door().reads_whole()) ingest::keep_whole(reader, whole);
    reader.read(which);
    objects = reader.take();
  } catch (const Error& error) {
    throw Error("no pod of the cluster is named \"" + which + "\", and as a file: " + error.what());
  }
  // Any fault is an error: without the faulty part, the explanation would be about another pod.
  if (diagnostics.count() != 0) throw first_fault(diagnostics);
  const bool equal_pods = objects.workloads.size() == 1 && objects.pods.empty();
  ingest::Creation creation([&] { return nodes_of(cluster); }, options.admission,
                            options.admission_plugins.read(options.admission));
  for (const ClusterFile& file : cluster) creation.add_cluster(file.objects);
  creation.create(objects, which, diagnostics);
  if (diagnostics.count() != 0) throw first_fault(diagnostics);
  if (objects.pods.empty() && objects.remarks.existing.pods != 0)
    throw Error(Place{.file = which, .field = {}},
                "all pods of its workloads exist already: name one of them instead of the file");
  if (equal_pods && objects.pods.size() > 1) {
    say(printable(fmt::format("{}: stands for {} pods; this explains the first, \"{}\"", which,
                              objects.pods.size(), objects.pods[0].name)));
  } else if (objects.pods.size() != 1)
    throw Error(Place{.file = which, .field = {}},
                "expected one pod, found " + std::to_string(objects.pods.size()));
  say_remarks(objects.remarks);
  if (!whole.empty()) core.door().keep(whole);
  const model::Pod pod = objects.pods[0];
  objects.pods.clear();
  cluster.push_back({which, std::move(objects)});
  return pod;
}

// The node of a pod that has one, its deletion and its eviction. As in a run, a node that is not
// there is no fault.
std::vector<std::string> node_notes(const model::Pod& pod, const ClusterFiles& cluster) {
  std::vector<std::string> notes;
  if (!pod.disrupted_because.empty())
    notes.push_back("the pod was evicted: " + pod.disrupted_because);
  if (pod.terminating)
    notes.emplace_back(
        "the pod is being deleted, so no scheduler tries it; it is explained as if it were not");
  if (!pod.bound()) return notes;
  const std::string& name = pod.spec.node_name;
  const bool known = std::ranges::any_of(cluster, [&](const ClusterFile& file) {
    bool found = false;
    model::each<model::Node>(file.objects.others,
                             [&](const model::Node& node) { found |= node.name == name; });
    return found;
  });
  notes.push_back(fmt::format("the pod {} on node \"{}\"{}; it is explained as if it had none",
                              pod.finished() ? "has finished" : "runs", name,
                              known ? "" : ", which is not among the nodes"));
  return notes;
}

void leave_out(const model::Pod& pod, ingest::Objects& objects) {
  const auto same = [&](const model::Pod& other) {
    return other.name == pod.name && other.namespace_name == pod.namespace_name;
  };
  if (std::erase_if(objects.pods, same) == 0) return;
  objects.lines.pods.clear();
  objects.pods_asked.clear();
}

// Applies the nodes of all files before the pods of any file.
void apply(ClusterFiles cluster, runtime::Core& core) {
  ClusterFiles pods;
  for (ClusterFile& file : cluster) {
    ingest::Objects& of_file = pods.emplace_back(ClusterFile{file.path, {}}).objects;
    of_file.pods.swap(file.objects.pods);
    of_file.lines.pods.swap(file.objects.lines.pods);
    core.door().apply(file.objects, file.path);
  }
  for (const ClusterFile& file : pods) core.door().apply(file.objects, file.path);
}

// A run stops at so many feasible nodes, and may choose another one than all of them would. Where
// no node takes the pod, a run looks at all of them, too.
void note_sampling(runtime::Core& core, const explain::Explanation& explanation,
                   std::vector<std::string>& notes) {
  for (const config::Profile& profile : core.configuration().profiles) {
    if (profile.scheduler_name != explanation.profile || explanation.node.empty()) continue;
    const model::Row rows = core.cluster().nodes().rows();
    const uint32_t wanted =
        framework::nodes_to_find(core.configuration().percentage_for(profile), rows);
    if (wanted < rows)
      notes.push_back(
          fmt::format("this searches all {} nodes; a run stops at {} feasible ones "
                      "(percentageOfNodesToScore), so it may choose another node",
                      rows, wanted));
  }
}

void say_from(const std::vector<std::string>& notes, size_t first) {
  for (size_t i = first; i < notes.size(); ++i) say(printable(notes[i]));
}

std::vector<std::string> chosen_node(const explain::Explanation& explanation) {
  if (explanation.node.empty()) return {};
  return {"node/" + explanation.node};
}

// Some functions fail no pod, such as PostFilter.
bool broke_contract(runtime::Core& core) {
  for (host::HookId id = 1; id <= core.hooks().size(); ++id)
    if (core.calls().counts(id).broken != 0) return true;
  return false;
}

// Throws Error where a file is read twice, or would be destroyed.
void check_page_file(const ExplainOptions& options) {
  std::vector<std::string> inputs = options.dumps;
  inputs.insert(inputs.end(), options.cluster.begin(), options.cluster.end());
  inputs.insert(inputs.end(), {options.pod, options.config, options.admission_plugins.file()});
  check_report_file(options.report, inputs, *options.format);
}

void show_explanation(const ExplainOptions& options, const explain::Explanation& explanation,
                      const std::vector<std::string>& notes, ReportFile& report) {
  report.write([&] { return to_page(explanation, notes); });
  if (report.is_standard_output()) return;
  options.format->print({.text = [&] { return to_text(explanation); },
                         .wide = [&] { return to_text(explanation, explain::Extent::kAll); },
                         .json = [&] { return to_json(explanation); },
                         .names = [&] { return chosen_node(explanation); }});
}

runtime::CoreOptions explaining_core(const startup::PluginOptions& plugins,
                                     framework::Evaluation evaluation) {
  runtime::CoreOptions options;
  options.guard_columns = plugins.guard_columns;
  options.deadlines = plugins.deadlines();
  options.scheduler.evaluation = evaluation;
  options.scheduler.decide.every_node = true;
  options.scheduler.decide.tie_break = framework::TieBreak::kName;
  options.scheduler.assume = false;
  return options;
}

int explain(const ExplainOptions& options, const startup::PluginOptions& plugin_options,
            framework::Evaluation evaluation) {
  check_page_file(options);
  const FormerFiles former(std::vector<std::string>{options.report});
  ReportFile report(options.report);
  config::Configuration configuration = config::load_or_defaults(options.config, options.rules);
  startup::say_gates_of_queue(configuration.rules);
  options.admission_plugins.check_effect(options.admission);
  runtime::Plugins plugins = plugin_options.discover(configuration.isolation);
  runtime::Core core(std::move(configuration), plugins,
                     explaining_core(plugin_options, evaluation));
  startup::name_what_is_not_done(core.configuration(), core.assembly());

  ClusterFiles cluster;
  uint64_t faults = 0;
  if (!options.dumps.empty()) faults += read_dumps(options, core, cluster);
  for (const std::string& path : options.cluster)
    faults += read_cluster(path, validation_of(options.admission, core), core, cluster);
  model::Pod pod = find_pod(options, core, cluster);
  for (ClusterFile& file : cluster) leave_out(pod, file.objects);
  std::vector<std::string> notes = node_notes(pod, cluster);
  say_from(notes, 0);
  pod.spec.node_name.clear();
  pod.terminating = false;
  played::BudgetKeeper budgets(core, true);
  core.join(budgets);
  apply(std::move(cluster), core);
  budgets.begin_if_new();
  const Diagnostics& diagnostics = core.diagnostics();
  say_faults(diagnostics);
  print_pods_without_node(pods_on_unknown_nodes(core.cluster()));

  const explain::Explanation explanation = explain::explain(core, pod);
  const size_t said = notes.size();
  note_sampling(core, explanation, notes);
  say_from(notes, said);
  show_explanation(options, explanation, notes, report);
  const bool clean = faults + diagnostics.count() == 0;
  const bool worked = explanation.outcome != runtime::PodOutcome::kError && !broke_contract(core);
  return clean && worked ? kOk : kFailed;
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "explain", "show the verdict of every filter and every score for one pod on every node");
  auto options = std::make_shared<ExplainOptions>();
  auto plugins = std::make_shared<startup::PluginOptions>();
  plugins->clock = startup::CallClock::kStandsStill;
  auto rules = std::make_shared<startup::RulesOptions>();
  auto evaluation = std::make_shared<startup::EvaluationOption>();
  command
      ->add_option(
          "FILE", options->dumps,
          "a cluster and its pods, as kubectl prints them, as of berth run: manifests make "
          "their pods; JSON or YAML files, or folders with such")
      ->option_text("FILE...");
  command
      ->add_option("--cluster", options->cluster,
                   "the cluster: nodes, the pods on them, namespaces; JSON, YAML or a stream; - is "
                   "standard input")
      ->option_text("FILE...");
  command
      ->add_option("--pod", options->pod,
                   "a file with the pod, or the name of one in the cluster: NAME or "
                   "NAMESPACE/NAME, or pod/NAME as -o name prints it")
      ->option_text("FILE|NAME")
      ->required();
  command
      ->add_option(
          "--config", options->config,
          "a KubeSchedulerConfiguration (v1, v1beta3 or v1beta2), and in another document of "
          "the file a PluginIsolation (berth/v1)")
      ->option_text("FILE");
  rules->add_to(*command);
  command
      ->add_option_function<std::string>(
          "--admission", [options](const std::string& word) { options->admission = word == "on"; },
          "on: a pod of a file gets what an API server's default plugins give it, or is refused as "
          "there (the default); off: it is taken as it is")
      ->check(check::one_of({"on", "off"}))
      ->option_text("on|off");
  options->admission_plugins.add_to(*command);
  startup::add_log_level(*command);
  add_report_option(*command, options->report);
  using output::OutputFormat;
  options->format = output::add_format(
      *command,
      {{OutputFormat::kText, "a page with the best nodes and the closest refused ones"},
       {OutputFormat::kWide, "with every node"},
       {OutputFormat::kJson, ""},
       {OutputFormat::kYaml, "everything"},
       {OutputFormat::kName, "node/NAME of the node that the pod gets; nothing if it gets none"}});
  plugins->add_to(*command);
  plugins->add_debugging_to(*command);
  evaluation->add_to(*command);
  command->callback([=, &status] {
    if (options->dumps.empty() == options->cluster.empty())
      throw CLI::ValidationError("--cluster", "expected the cluster in this way, or by FILE");
    options->rules = rules->read();
    status = explain(*options, *plugins, evaluation->evaluation);
  });
}

}  // namespace berth::cli
