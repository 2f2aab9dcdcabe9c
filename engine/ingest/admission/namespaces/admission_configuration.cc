#include "engine/ingest/admission/namespaces/admission_configuration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "engine/ingest/admission/field_errors.h"
#include "engine/ingest/admission/namespaces/namespace_rules.h"
#include "engine/ingest/objects/fields/field_reader.h"
#include "engine/ingest/objects/fields/toleration_field.h"
#include "engine/ingest/validation/report_errors.h"
#include "engine/ingest/validation/scheduling_rules.h"

namespace berth::ingest {
namespace {

using document::Document;
using document::Value;
using Words = std::initializer_list<std::string_view>;

constexpr std::string_view kSelectorPlugin = "PodNodeSelector";
constexpr std::string_view kRestrictionPlugin = "PodTolerationRestriction";
constexpr std::string_view kDefaultOfAll = "clusterDefaultNodeSelector";

class AdmissionConfigurationReader {
 public:
  AdmissionConfiguration read(const std::string& path) {
    const Document document = open(path);
    folder_ = std::filesystem::path(path).parent_path();
    if (const Value root = only_root(document, path); root.present()) read_plugins(root);
    throw_if_any();
    return std::move(result_);
  }

 private:
  Document open(const std::string& path) {
    document::Limits limits;
    limits.unique_keys = true;
    return Document::read(path, faults_found_, limits);
  }

  // Absent, with a fault, if the file holds none or several documents.
  Value only_root(const Document& document, const std::string& path) {
    const auto roots = document.roots();
    if (roots.size() == 1) return roots.front();
    if (faults_found_.count() == 0)
      faults_found_.report(Error(Place{.file = path, .field = {}},
                                 fmt::format("expected one document, found {}", roots.size())));
    return {};
  }

  static void check_type(Value object, std::string_view kind, Words versions, Faults& faults) {
    const FieldReader in(object, faults);
    if (in.text("kind") != kind) faults.report(object, fmt::format("must be \"{}\"", kind), "kind");
    if (std::ranges::find(versions, in.text("apiVersion")) == versions.end())
      faults.report(object, fmt::format("must be \"{}\"", *versions.begin()), "apiVersion");
  }

  // A field that is misspelt would be a rule that does not hold.
  static void check_fields(Value object, Words fields, Faults& faults) {
    for (const document::Member member : object.members())
      if (std::ranges::find(fields, member.key) == fields.end())
        faults.report(member.key_value,
                      fmt::format("is no field here; fields are {}", fmt::join(fields, ", ")));
  }

  void read_plugins(Value root) {
    Faults faults(faults_found_);
    const FieldReader in = object_reader(root, faults);
    check_type(root, "AdmissionConfiguration",
               {"apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1alpha1",
                "apiserver.k8s.io/v1alpha1"},
               faults);
    check_fields(root, {"apiVersion", "kind", "plugins"}, faults);
    in.each("plugins", [](const FieldReader&) {});  // reports elements that are no objects
    size_t index = 0;
    for (const Value plugin : root.find("plugins").elements()) read_plugin(plugin, index++, faults);
  }

  void read_plugin(Value plugin, size_t index, Faults& faults) {
    if (!plugin.is(document::Kind::kObject)) return;
    const FieldReader in(plugin, faults);
    const std::string name = in.text("name"), path = in.text("path");
    check_fields(plugin, {"name", "path", "configuration"}, faults);
    if (name != kSelectorPlugin && name != kRestrictionPlugin) {
      result_.without_effect.push_back(fmt::format("plugins[{}] ({})", index, name));
      return;
    }
    if (in.has("configuration")) return read_rules(name, plugin.find("configuration"), faults);
    if (path.empty()) return;
    const std::string own = (folder_ / path).string();
    const Document document = open(own);
    const Value root = only_root(document, own);
    Faults own_faults(faults_found_);
    if (root.present()) read_rules(name, root, own_faults);
  }

  void read_rules(std::string_view plugin, Value object, Faults& faults) {
    plugin == kSelectorPlugin ? read_selectors(object, faults) : read_tolerations(object, faults);
  }

  void read_selectors(Value object, Faults& faults) {
    constexpr std::string_view kField = "podNodeSelectorPluginConfig";
    result_.pod_node_selector = true;
    check_fields(object, {kField}, faults);
    for (const auto& [name, text] : FieldReader(object, faults).string_map(kField)) {
      model::StringMap labels;
      std::string problem;
      if (!read_labels(text, labels, problem))
        faults.report(object.find(kField).find(name), problem);
      if (name == kDefaultOfAll) {
        result_.rules.node_selector = std::move(labels);
      } else {
        result_.rules.allowed_labels[name] = std::move(labels);
      }
    }
  }

  void read_tolerations(Value object, Faults& faults) {
    result_.pod_toleration_restriction = true;
    check_type(object, "Configuration", {"podtolerationrestriction.admission.k8s.io/v1alpha1"},
               faults);
    check_fields(object, {"apiVersion", "kind", "default", "whitelist"}, faults);
    result_.rules.default_tolerations = tolerations(object, "default", faults);
    result_.rules.allowed_tolerations = tolerations(object, "whitelist", faults);
  }

  static std::vector<model::Toleration> tolerations(Value object, const char* field,
                                                    Faults& faults) {
    std::vector<model::Toleration> list =
        ingest::read_tolerations(FieldReader(object, faults), field);
    FieldErrors errors;
    check_tolerations(list, validation_by(kDefaultKubeVersion), errors, field);
    report_new_errors(object, errors.take(), faults);
    return list;
  }

  void throw_if_any() const {
    const std::vector<Error>& kept = faults_found_.kept();
    if (kept.empty()) return;
    if (kept.size() == 1) throw Error(kept.front());
    std::vector<std::string> details;
    details.reserve(kept.size());
    for (const Error& fault : kept) details.emplace_back(fault.what());
    throw Error({}, "the admission configuration has several faults:", details);
  }

  Diagnostics faults_found_;
  AdmissionConfiguration result_;
  std::filesystem::path folder_;
};

}  // namespace

AdmissionConfiguration read_admission_configuration(const std::string& path) {
  return AdmissionConfigurationReader().read(path);
}

}  // namespace berth::ingest
