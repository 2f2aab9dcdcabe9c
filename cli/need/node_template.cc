#include "cli/need/node_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/folder_files.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/pod_names.h"
#include "engine/model/objects/names.h"

namespace berth::cli {
namespace {

using document::Kind;
using document::Value;

constexpr std::string_view kTemplateKind = "NodeTemplate";
constexpr std::string_view kTemplateFields[] = {"apiVersion", "kind",  "metadata", "spec",
                                                "status",     "price", "most"};
constexpr std::string_view kMetadataFields[] = {"name",
                                                "generateName",
                                                "namespace",
                                                "selfLink",
                                                "uid",
                                                "resourceVersion",
                                                "generation",
                                                "creationTimestamp",
                                                "deletionTimestamp",
                                                "deletionGracePeriodSeconds",
                                                "labels",
                                                "annotations",
                                                "ownerReferences",
                                                "finalizers",
                                                "managedFields"};
constexpr std::string_view kSpecFields[] = {"taints",     "unschedulable", "podCIDR",   "podCIDRs",
                                            "providerID", "configSource",  "externalID"};

Error fault(Value value, std::string message) {
  Place place = value.place();
  place.field = value.path();
  return {std::move(place), std::move(message)};
}

// Taints that controllers give nodes by their state, or autoscalers to those that are to go.
bool is_of_state(const model::Taint& taint) {
  return taint.key.starts_with("node.kubernetes.io/") ||
         taint.key.starts_with("node.cloudprovider.kubernetes.io/") ||
         taint.key == "ToBeDeletedByClusterAutoscaler" ||
         taint.key == "DeletionCandidateOfClusterAutoscaler";
}

void make_fresh(model::Node& node) {
  node.unschedulable = false;
  std::erase_if(node.taints, is_of_state);
  node.conditions.clear();
  node.annotations.clear();
  node.images.clear();
}

class TemplateReader {
 public:
  void read(const std::string& path) {
    Diagnostics diagnostics;
    const document::Document document = document::Document::read(path, diagnostics);
    throw_first(diagnostics);
    for (const Value root : document.roots()) add(root);
  }
  std::vector<NodeTemplate> take() { return std::move(templates_); }

 private:
  static void throw_first(const Diagnostics& diagnostics) {
    if (diagnostics.count() != 0) throw diagnostics.kept().front();
  }

  void add(Value value) {
    if (value.find("items").is(Kind::kArray)) {
      for (const Value item : value.find("items").elements()) add(item);
      return;
    }
    const std::string_view kind = value.find("kind").text();
    if (kind == kTemplateKind) return add_template(value);
    if (kind == "Node" || kind.empty()) return keep(value, {});
    throw fault(value, fmt::format("expected a {} (berth/v1) or a Node, found {}", kTemplateKind,
                                   document::quoted(kind)));
  }

  void add_template(Value value) {
    if (value.find("apiVersion").text() != "berth/v1")
      throw fault(value, "expected apiVersion berth/v1");
    check_fields(value, kTemplateFields);
    check_fields(value.find("metadata"), kMetadataFields);
    check_fields(value.find("spec"), kSpecFields);
    NodeTemplate made;
    if (const Value price = value.find("price"); price.set()) made.price = price_in(price);
    if (const Value most = value.find("most"); most.set()) made.most = most_in(most);
    keep(value, std::move(made));
  }

  // The fields of a status grow with each version of Kubernetes, so they are not checked.
  static void check_fields(Value value, std::span<const std::string_view> fields) {
    if (!value.is(Kind::kObject)) return;
    for (const document::Member member : value.members())
      if (std::ranges::find(fields, member.key) == fields.end())
        throw fault(member.key_value,
                    fmt::format("unknown field {}", document::quoted(member.key)));
  }

  static double price_in(Value value) {
    const std::optional<double> price = value.is(Kind::kNumber) ? value.as_double() : std::nullopt;
    if (!price || *price < 0) throw fault(value, "expected a number that is not negative");
    return *price;
  }

  static uint64_t most_in(Value value) {
    const std::optional<int64_t> most = value.is(Kind::kNumber) ? value.as_int64() : std::nullopt;
    if (!most || *most < 0 || *most > UINT32_MAX)
      throw fault(value, fmt::format("expected a whole number from 0 to {}", UINT32_MAX));
    return static_cast<uint64_t>(*most);
  }

  void keep(Value value, NodeTemplate made) {
    Diagnostics diagnostics;
    const std::optional<model::Node> node = ingest::decode_node(value, diagnostics);
    throw_first(diagnostics);
    made.name = node->name;
    made.node = *node;
    if (std::ranges::find(templates_, made.name, &NodeTemplate::name) != templates_.end())
      throw fault(value,
                  fmt::format("there is a template {} already", document::quoted(made.name)));
    if (made.node.allocatable.empty())
      throw fault(value, "expected amounts in status.allocatable or status.capacity");
    make_fresh(made.node);
    templates_.push_back(std::move(made));
  }

  std::vector<NodeTemplate> templates_;
};

}  // namespace

std::vector<NodeTemplate> read_node_templates(const std::vector<std::string>& paths) {
  TemplateReader reader;
  for (const std::string& path : ingest::without_folders(paths)) reader.read(path);
  std::vector<NodeTemplate> templates = reader.take();
  if (templates.empty())
    throw Error(Place{.file = paths.front(), .field = {}}, "has no NodeTemplate and no Node");
  return templates;
}

model::Node node_of(const NodeTemplate& from, std::string name) {
  model::Node node = from.node;
  node.name = std::move(name);
  ingest::set_label(node.labels, model::kHostnameLabel, node.name);
  return node;
}

}  // namespace berth::cli
