// berth config validate|convert|defaults.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/commands/command.h"
#include "engine/base/program/checks.h"
#include "engine/base/program/messages.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"
#include "engine/config/config.h"
#include "engine/config/write/write.h"
#include "engine/document/document.h"
#include "engine/document/json/json_writer.h"
#include "engine/document/yaml/write_yaml.h"
#include "engine/output/format_option.h"
#include "engine/runtime/assembly.h"
#include "engine/startup/notices.h"
#include "engine/startup/plugin_options.h"
#include "engine/startup/rules_options.h"

namespace berth::cli {
namespace {

using output::OutputFormat;

// The documents of a file. Reports malformed ones to `faults`, and a file without any document.
document::Document read(const std::string& file, std::vector<Error>& faults) {
  Diagnostics diagnostics;
  document::Document document = config::read_documents(file, diagnostics);
  faults.insert(faults.end(), diagnostics.kept().begin(), diagnostics.kept().end());
  if (const uint64_t more = diagnostics.count() - diagnostics.kept().size(); more != 0)
    faults.emplace_back(fmt::format("and {} more faults", grouped(more)));
  if (diagnostics.count() == 0 && document.roots().empty())
    faults.emplace_back(Place{.file = file, .field = {}},
                        "holds no document; a configuration is one, of kind "
                        "KubeSchedulerConfiguration");
  return document;
}

// Faults without a line come last.
void sort_by_place(std::vector<Error>& faults) {
  std::ranges::stable_sort(faults, {}, [](const Error& fault) {
    const Place& place = fault.place();
    return std::pair(place.line == 0 ? UINT32_MAX : place.line, place.column);
  });
}

void print(const std::vector<Error>& faults) {
  for (const Error& fault : faults) say(fault.what());
}

// Throws Error if there were faults.
void end_with(uint64_t faults) {
  if (faults != 0) throw Error(fmt::format("{} fault{} found", faults, faults == 1 ? "" : "s"));
}

// "FILE", or "FILE:LINE" if the file has several documents.
std::string name_of(const std::string& file, const document::Document& document,
                    document::Value root) {
  if (document.roots().size() == 1) return printable(file);
  return fmt::format("{}:{}", printable(file), root.position().line);
}

bool is_of_berth(document::Value root) {
  return config::is_plugin_isolation(root) || config::is_scheduler_rules(root);
}

// The documents of a file but those of other kinds beside a configuration, which a run leaves out,
// too. These are named.
std::vector<document::Value> read_documents(const std::string& file,
                                            const document::Document& document) {
  const auto roots = document.roots();
  std::vector<document::Value> all(roots.begin(), roots.end());
  if (std::ranges::none_of(all, config::is_configuration)) return all;
  std::erase_if(all, [&](document::Value root) {
    if (config::is_configuration(root) || is_of_berth(root)) return false;
    say(name_of(file, document, root) + ": is no KubeSchedulerConfiguration: left out");
    return true;
  });
  return all;
}

// A document of a file, or a file that holds none that can be read.
struct Validated {
  std::string file;
  std::string name;     // for people: see name_of()
  uint32_t line = 0;    // from 1; 0: of the whole file
  std::string version;  // empty: it is not known
  std::vector<Error> faults;
};

Validated validated_of(const std::string& file, const document::Document& document,
                       document::Value root) {
  return {.file = file,
          .name = name_of(file, document, root),
          .line = root.position().line,
          .version = {},
          .faults = {}};
}

// The plugins by which the files are validated. Their arguments are checked by their code, which
// runs in the processes that a file and the options say.
class PluginsOfFiles {
 public:
  explicit PluginsOfFiles(const startup::PluginOptions& options) : options_(options) {}

  // Valid until the next call. Throws as PluginOptions::discover().
  runtime::Plugins& of(const config::PluginIsolation& isolation) {
    std::optional<runtime::Plugins>& plugins = isolation.empty() ? common_ : own_;
    if (!isolation.empty()) own_.reset();
    if (!plugins) plugins.emplace(options_.discover(isolation));
    return *plugins;
  }

 private:
  const startup::PluginOptions& options_;
  std::optional<runtime::Plugins> common_;  // of files that isolate none
  std::optional<runtime::Plugins> own_;
};

// The faults of one configuration. `plugins`: nullptr: it is not known how plugins are to be
// loaded, so their arguments are not checked.
Validated validate(const std::string& file, const document::Document& document,
                   document::Value root, const Rules& rules, runtime::Plugins* plugins) {
  Validated validated = validated_of(file, document, root);
  config::Checked checked = config::check(document, root, rules);
  validated.faults = std::move(checked.faults);
  if (!checked.configuration) return validated;
  validated.version = config::version_name(checked.configuration->version);
  if (plugins == nullptr) {
    Place place = root.place();
    place.field.clear();
    validated.faults.emplace_back(std::move(place),
                                  "what depends on plugins is not checked before the file's "
                                  "PluginIsolation has no faults");
    return validated;
  }
  runtime::Findings findings = runtime::inspect(*checked.configuration, *plugins);
  std::vector<Error>& faults = validated.faults;
  faults.insert(faults.end(), findings.faults.begin(), findings.faults.end());
  sort_by_place(faults);
  if (faults.empty()) startup::name_what_is_not_done(*checked.configuration, findings);
  return validated;
}

// The plugins that a file is validated by; nullptr if the file has faults of isolation, which are
// added to `faults`.
runtime::Plugins* plugins_for(const document::Document& document, PluginsOfFiles& plugins,
                              std::vector<Error>& faults) {
  config::CheckedIsolation checked = config::plugin_isolation_in(document);
  faults = std::move(checked.faults);
  try {
    runtime::Plugins& found = plugins.of(checked.isolation);
    return faults.empty() ? &found : nullptr;
  } catch (const config::InvalidConfiguration& error) {
    // A fault of an option is none of the file.
    if (std::ranges::any_of(error.faults(), [](const Error& e) { return e.place().line == 0; }))
      throw;
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
    return nullptr;
  }
}

// A document of Berth's own, with those of the file's faults that are in this document.
Validated validated_own(const std::string& file, const document::Document& document,
                        document::Value root, const std::vector<Error>& faults) {
  Validated validated = validated_of(file, document, root);
  validated.version = config::kIsolationApiVersion;
  const auto roots = document.roots();
  const auto next = std::ranges::find_if(
      roots, [&](document::Value other) { return other.position().line > validated.line; });
  const uint32_t end = next == roots.end() ? UINT32_MAX : (*next).position().line;
  for (const Error& fault : faults)
    if (fault.place().line >= validated.line && fault.place().line < end)
      validated.faults.push_back(fault);
  sort_by_place(validated.faults);
  return validated;
}

// The rules by which the configurations of a file are read. Says what the options change, and adds
// the faults of the file.
Rules rules_for(const document::Document& document, const config::RulesChoice& options,
                std::vector<Error>& faults) {
  config::CheckedRules checked = config::scheduler_rules_in(document);
  config::ChosenRules chosen = config::choose_rules(checked.rules, options);
  startup::say_notices(chosen.notices);
  startup::say_gates_of_queue(chosen.rules);
  for (const auto* found : {&checked.faults, &chosen.faults})
    faults.insert(faults.end(), found->begin(), found->end());
  return chosen.rules;
}

// The documents of a file, and the file itself if a part of it cannot be read.
std::vector<Validated> validate_file(const std::string& file, const config::RulesChoice& options,
                                     PluginsOfFiles& plugins) {
  Validated unread{.file = file, .name = printable(file), .line = 0, .version = {}, .faults = {}};
  document::Document document;
  try {
    document = read(file, unread.faults);
  } catch (const Error& error) {
    unread.faults.push_back(error);
  }
  std::vector<Validated> all;
  if (!unread.faults.empty()) all.push_back(std::move(unread));
  std::vector<Error> faults;
  runtime::Plugins* const loaded = plugins_for(document, plugins, faults);
  const Rules rules = rules_for(document, options, faults);
  for (const document::Value root : read_documents(file, document))
    all.push_back(is_of_berth(root) ? validated_own(file, document, root, faults)
                                    : validate(file, document, root, rules, loaded));
  return all;
}

// Prints the faults of the others on stderr.
std::string valid_text(const std::vector<Validated>& all) {
  std::string text;
  for (const Validated& one : all) {
    print(one.faults);
    if (one.faults.empty())
      text += fmt::format("{}: is valid, of version {}\n", one.name, one.version);
  }
  return text;
}

void write_fault(document::PrettyJsonWriter& json, const Error& fault) {
  const Place& place = fault.place();
  json.object([&] {
    if (place.line != 0) json.member("line", place.line);
    if (place.column != 0) json.member("column", place.column);
    json.member_if("field", place.field);
    json.member("message", fault.message());
  });
}

std::string valid_json(const std::vector<Validated>& all) {
  rapidjson::StringBuffer buffer;
  document::PrettyJsonWriter json(buffer);
  json.StartArray();
  for (const Validated& one : all)
    json.object([&] {
      json.member("file", one.file);
      if (one.line != 0) json.member("line", one.line);
      json.member_if("version", one.version);
      json.member("valid", one.faults.empty());
      json.array("faults", one.faults, [&](const Error& fault) { write_fault(json, fault); });
    });
  json.EndArray();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

void validate_files(const std::vector<std::string>& files, const config::RulesChoice& rules,
                    const startup::PluginOptions& options, const output::FormatOption& format) {
  PluginsOfFiles plugins(options);
  std::vector<Validated> all;
  for (const std::string& file : files)
    for (Validated& one : validate_file(file, rules, plugins)) all.push_back(std::move(one));
  format.print({.text = [&] { return valid_text(all); }, .json = [&] { return valid_json(all); }});
  uint64_t count = 0;
  for (const Validated& one : all) count += one.faults.size();
  end_with(count);
}

// Nothing is printed on stdout unless all documents are valid: a part could be taken for the whole.
// A document of Berth's own is printed as it is.
void convert(const std::string& file, const config::RulesChoice& options,
             const output::FormatOption& format) {
  std::vector<Error> faults;
  const document::Document document = read(file, faults);
  std::string text;
  std::vector<std::string> left_out;
  std::vector<Error> isolation = config::plugin_isolation_in(document).faults;
  faults.insert(faults.end(), isolation.begin(), isolation.end());
  const Rules rules = rules_for(document, options, faults);
  for (const document::Value root : read_documents(file, document)) {
    if (is_of_berth(root)) {
      text += (text.empty() ? "" : "---\n") + document::to_yaml(root);
      continue;
    }
    const config::Checked checked = config::check(document, root, rules);
    faults.insert(faults.end(), checked.faults.begin(), checked.faults.end());
    if (!faults.empty()) continue;
    config::Written written = config::convert(*checked.configuration);
    if (!text.empty()) text += "---\n";
    text += written.yaml;
    for (std::string& what : written.left_out)
      left_out.push_back(name_of(file, document, root) + ": " + printable(what));
  }
  sort_by_place(faults);
  print(faults);
  end_with(faults.size());
  for (const std::string& what : left_out) say("left out, because v1 does not have it: " + what);
  format.print({.yaml = [&] { return text; }});
}

std::string points_text(const config::EffectiveProfile& profile) {
  std::string text;
  for (const Point point : kConfiguredPoints) {
    std::string plugins;
    for (const PluginAt& plugin : profile.plugins[point]) {
      plugins += (plugins.empty() ? "" : ", ") + plugin.name;
      if (plugin.weight != 0) plugins += fmt::format(" x{}", plugin.weight);
    }
    if (!plugins.empty())
      text += fmt::format("#   {:<11} {}\n", point_info(point).key, printable(plugins));
  }
  return text;
}

// Each plugin once, in the order of the extension points.
std::vector<std::string> plugin_names(const config::EffectiveProfile& profile) {
  std::vector<std::string> names;
  for (const Point point : kConfiguredPoints)
    for (const PluginAt& plugin : profile.plugins[point]) {
      std::string name = "plugin/" + plugin.name;
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  return names;
}

// The comment says what runs here, which depends on the points that plugins implement; the text
// below it is what any kube-scheduler of the version would take for its defaults.
void print_defaults(config::Version version, const config::RulesChoice& choice,
                    const startup::PluginOptions& options, const output::FormatOption& format) {
  runtime::Plugins plugins = options.discover();
  const config::ChosenRules chosen = config::choose_rules({}, choice);
  startup::say_notices(chosen.notices);
  startup::say_gates_of_queue(chosen.rules);
  const Rules& rules = chosen.rules;
  config::Configuration configuration = config::defaults(version, rules);
  const runtime::Findings findings = runtime::inspect(configuration, plugins);
  print(findings.faults);
  end_with(findings.faults.size());
  std::string text = fmt::format(
      "# The defaults of {}. Plugins by extension point, in the order "
      "of calls, scores with weights:\n",
      config::version_name(version));
  text += points_text(findings.effective.front());
  text += config::complete_defaults(version, rules);
  format.print({.yaml = [&] { return text; },
                .names = [&] { return plugin_names(findings.effective.front()); }});
}

void add_validate(CLI::App& config) {
  CLI::App* command = config.add_subcommand(
      "validate",
      "print all faults of configurations, with the arguments of their plugins; exit status 1 if "
      "there are any");
  auto files = std::make_shared<std::vector<std::string>>();
  auto plugins = std::make_shared<startup::PluginOptions>();
  command
      ->add_option("FILE", *files,
                   "YAML or JSON with one or more configurations, and at most one PluginIsolation "
                   "and one SchedulerRules (berth/v1) in each file; - is standard input")
      ->option_text("FILE...")
      ->required();
  auto rules = std::make_shared<startup::RulesOptions>();
  rules->add_to(*command);
  plugins->add_to(*command);
  const auto format = output::add_format(
      *command, {{OutputFormat::kText, "a line for each that is valid; faults on standard error"},
                 {OutputFormat::kJson, ""},
                 {OutputFormat::kYaml, "each configuration with its faults"}});
  command->callback([=] { validate_files(*files, rules->read(), *plugins, *format); });
}

void add_convert(CLI::App& config) {
  CLI::App* command = config.add_subcommand(
      "convert",
      "print a configuration of v1beta2, v1beta3 or v1 as one of v1 that means the same: each "
      "profile lists all its plugins. Comments are lost");
  auto file = std::make_shared<std::string>();
  command
      ->add_option("FILE", *file,
                   "YAML or JSON with one or more configurations, and at most one PluginIsolation "
                   "and one SchedulerRules (berth/v1); - is standard input")
      ->required();
  auto rules = std::make_shared<startup::RulesOptions>();
  rules->add_to(*command);
  const auto format =
      output::add_format(*command, {{OutputFormat::kYaml, ""}, {OutputFormat::kJson, ""}});
  command->callback([=] { convert(*file, rules->read(), *format); });
}

void add_defaults(CLI::App& config) {
  CLI::App* command = config.add_subcommand(
      "defaults",
      "print the configuration without a file, with all plugins and their arguments, and in a "
      "comment the plugins by extension point");
  auto version = std::make_shared<std::string>(config::version_name(config::Version::kV1));
  auto plugins = std::make_shared<startup::PluginOptions>();
  command->add_option("--api-version", *version, "v1 (the default), v1beta3 or v1beta2")
      ->check(check::one_of({"v1", "v1beta3", "v1beta2"}))
      ->option_text("VERSION");
  auto rules = std::make_shared<startup::RulesOptions>();
  rules->add_to(*command);
  plugins->add_to(*command);
  const auto format = output::add_format(
      *command, {{OutputFormat::kYaml, "with the comment"},
                 {OutputFormat::kJson, "without it"},
                 {OutputFormat::kName, "plugin/NAME of each plugin that is called"}});
  command->callback(
      [=] { print_defaults(*config::version_named(*version), rules->read(), *plugins, *format); });
}

}  // namespace

void add_config(CLI::App& app, int&) {
  CLI::App* config =
      app.add_subcommand("config", "validate, convert and print scheduler configurations");
  config->require_subcommand(1);
  add_validate(*config);
  add_convert(*config);
  add_defaults(*config);
}

}  // namespace berth::cli
