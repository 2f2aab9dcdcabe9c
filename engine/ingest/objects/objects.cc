#include "engine/ingest/objects/objects.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <filesystem>
#include <iterator>
#include <utility>

#include "engine/base/io/io.h"
#include "engine/document/items/list_items.h"
#include "engine/ingest/admission/namespaces/namespace_rules.h"
#include "engine/ingest/admission/policies/decode_policies.h"
#include "engine/ingest/objects/inspect.h"
#include "engine/ingest/objects/report_all.h"
#include "engine/ingest/validation/duplicate_keys.h"
#include "engine/ingest/validation/read_kinds.h"
#include "engine/ingest/validation/validate_new.h"
#include "engine/ingest/volumes/decode_volumes.h"
#include "engine/ingest/workloads/decode_workload.h"
#include "engine/ingest/workloads/read_pod.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;

// True for lists. A List, and a list of a kind that is read, may lack `items`; other kinds that end
// in "List" are lists only if they have it.
bool is_list(Value value, std::string_view kind) {
  if (!kind.ends_with("List")) return false;
  kind.remove_suffix(4);
  return kind.empty() || is_read(kind) || value.find("items").is(Kind::kArray);
}

std::string_view kind_of(const PriorityClass&) { return "PriorityClass"; }
std::string_view kind_of(const RuntimeClass&) { return "RuntimeClass"; }
std::string_view kind_of(const LimitRange&) { return "LimitRange"; }
std::string_view kind_of(const ResourceQuota&) { return "ResourceQuota"; }
std::string_view kind_of(const Workload& workload) { return workload_kind_name(workload.kind); }

using model::full_name;
using model::kind_of;

template <typename Object>
std::string& name_in(Object& object) {
  return object.name;
}
std::string& name_in(model::VolumeObject& object) {
  return std::visit([](auto& one) -> std::string& { return one.name; }, object);
}

// Has errors reported elsewhere, as long as it lives.
class Redirect {
 public:
  Redirect(Diagnostics*& to, Diagnostics& instead)
      : to_(to), before_(std::exchange(to, &instead)) {}
  ~Redirect() { to_ = before_; }
  Redirect(const Redirect&) = delete;
  Redirect& operator=(const Redirect&) = delete;

 private:
  Diagnostics*& to_;
  Diagnostics* const before_;
};

bool is_new(Value value) { return value.find("metadata").find("uid").text().empty(); }
bool needs_number(Value value) { return value.find("metadata").find("name").text().empty(); }

}  // namespace

struct ObjectReader::Seen {
  explicit Seen(Remarks& remarks) : inspector(remarks) {}

  template <typename Object>
  static std::string key(const Object& object) {
    return std::string(kind_of(object)) + ' ' + full_name(object);
  }

  // Returns the place of the first object with this name; null if this is the first.
  template <typename Object>
  std::optional<Place> add(const Object& object, const std::string& file,
                           document::Position position) {
    if (files.empty() || files.back() != file) files.push_back(file);
    auto [at, fresh] = firsts.try_emplace(key(object), First{files.size() - 1, position});
    if (fresh) return std::nullopt;
    const First& first = at->second;
    return Place{.file = files[first.file],
                 .line = first.position.line,
                 .column = first.position.column,
                 .field = {}};
  }

  // Appends the next number that makes the name unique.
  template <typename Object>
  void number(Object& object) {
    std::string& name = name_in(object);
    const std::string prefix = name;
    uint64_t& count = counts[key(object)];
    do {
      name = prefix + std::to_string(++count);
    } while (firsts.contains(key(object)));
  }

  struct First {
    size_t file;  // in `files`
    document::Position position;
  };

  Inspector inspector;
  std::vector<std::string> files;
  boost::unordered_flat_map<std::string, First> firsts;
  boost::unordered_flat_map<std::string, uint64_t> counts;  // by the name that is numbered
};

ObjectReader::ObjectReader(Diagnostics& diagnostics, Defaults defaults, Workloads workloads,
                           Validation validation)
    : diagnostics_(&diagnostics),
      defaults_(defaults),
      workloads_(workloads),
      validation_(validation),
      seen_(std::make_unique<Seen>(objects_.remarks)) {}

ObjectReader::~ObjectReader() = default;

Objects ObjectReader::take() {
  Objects taken = std::exchange(objects_, {});
  clear();
  return taken;
}

void ObjectReader::clear() {
  objects_ = {};
  seen_ = std::make_unique<Seen>(objects_.remarks);
  numbered_ = 0;
  expanded_ = 0;
}

ObjectReader::Before ObjectReader::before() const {
  return {diagnostics_->count(), objects_.size(), objects_.remarks.unread_kinds};
}

void ObjectReader::read(const std::string& path) {
  const Before state = before();
  Diagnostics found;
  const std::optional<ItemsAdded> added = read_items(path, found);
  if (!added) {
    report_all(found, *diagnostics_);
    return check_content(path, state, true);
  }
  document::Limits limits;
  limits.repeated_keys = true;
  const auto document = document::Document::read(path, *diagnostics_, limits);
  add_documents(document, *added, found);
  check_content(path, state, !document.roots().empty());
}

void ObjectReader::read_text(std::string_view text, const std::string& path) {
  const Before state = before();
  document::Limits limits;
  limits.repeated_keys = true;
  const auto document = document::Document::parse(text, path, *diagnostics_, limits);
  add_documents(document, {}, {});
  check_content(path, state, !document.roots().empty());
}

// A file that turns out not to be a list is read anew, so this is for readers without objects, and
// for files that can be opened twice.
std::optional<ObjectReader::ItemsAdded> ObjectReader::read_items(const std::string& path,
                                                                 Diagnostics& found) {
  std::error_code none;
  if (path == "-" || !std::filesystem::is_regular_file(path, none)) return ItemsAdded{};
  if (objects_.size() != 0 || objects_.rejected != 0 || !objects_.remarks.unread_kinds.empty())
    return ItemsAdded{};
  using Next = document::ListItems::Next;
  FileSource source(path);
  const auto items = document::ListItems::of(source, path);
  ItemsAdded added;
  Next next = items->next();
  const Redirect redirect(diagnostics_, found);
  // The list's kind, which may follow the items, decides on those that have none.
  for (; next == Next::kItem && !items->item().find("kind").text().empty(); ++added.count) {
    if (added.count == 0) added.first = items->item().position();
    add(items->item());
    next = items->next();
  }
  if (next != Next::kEnd) return added;
  if (is_list(items->list(), items->list().find("kind").text())) return std::nullopt;
  clear();
  found = {};
  return ItemsAdded{};
}

void ObjectReader::add_documents(const document::Document& document, ItemsAdded added,
                                 const Diagnostics& found) {
  repeats_keys_ = document.repeats_keys();
  const std::span<const Value> roots = document.roots();
  Type type;
  if (!roots.empty()) type = {roots[0].find("kind").text(), roots[0].find("apiVersion").text()};
  if (!roots.empty() && type.kind.empty() && roots[0].cut_short()) type.kind = "List";
  const Value items = roots.empty() ? Value() : roots[0].find("items");
  const auto is_their_list = [&] {
    return items.size() >= added.count && is_list(roots[0], type.kind) &&
           (*items.elements().begin()).position() == added.first;
  };
  if (added.count != 0 && !is_their_list()) {
    clear();  // the file is no list, or its list is lost as a whole, or is another
    added.count = 0;
  }
  if (added.count == 0) {
    for (const Value root : roots) add(root);
    return;
  }
  report_all(found, *diagnostics_);
  type.kind.remove_suffix(4);
  for (const Value item : items.elements())
    if (added.count == 0 || added.count-- == 0) add(item, type);
  for (const Value root : roots.subspan(1)) add(root);
}

void ObjectReader::add(Value value) { add(value, Type()); }

// The depth of the recursion is that of the document, which document::Limits bounds.
void ObjectReader::add(Value value, const Type& assumed) {
  if (value.is(Kind::kArray)) {
    for (Value element : value.elements()) add(element, assumed);
    return;
  }
  if (!value.is(Kind::kObject)) return reject_value(value, "expected a Kubernetes object");
  Type type = {value.find("kind").text(), value.find("apiVersion").text()};
  if (type.kind.empty()) {
    type.kind = assumed.kind;
    if (type.api_version.empty()) type.api_version = assumed.api_version;
  }
  // In a malformed list the kind may follow the items, after the fault.
  if (type.kind.empty() && value.cut_short()) type.kind = "List";
  if (type.kind.empty()) return reject_value(value, "an object needs a kind, such as Node or Pod");
  if (!is_list(value, type.kind)) return visit_object(value, type);
  if (repeats_keys_ && !has_single_keys(value, report_own_duplicate_keys)) return;

  Value items = value.find("items");
  if (!items.present())  // the list is empty, unless another field holds its objects
    for (const document::Member& member : value.members())
      if (member.value.is(Kind::kArray))
        reject(member.value, "not a field of a list; did you mean items?");
  if (!items.set()) return;
  if (!items.is(Kind::kArray)) return reject(items, "the items of a list must be an array");
  type.kind.remove_suffix(4);
  for (Value item : items.elements()) add(item, type);
}

bool ObjectReader::has_single_keys(Value value, void (*report)(Value, Faults&)) {
  Faults faults(*diagnostics_);
  report(value, faults);
  if (faults.none()) return true;
  ++objects_.rejected;
  return false;
}

void ObjectReader::reject(Value value, std::string message) {
  ++objects_.rejected;
  Place place = value.place();
  if (diagnostics_->kept().size() < Diagnostics::kKept) place.field = value.path();
  diagnostics_->report(Error(std::move(place), std::move(message)));
}

void ObjectReader::reject_value(Value value, std::string message) {
  ++objects_.no_objects;
  reject(value, std::move(message));
}

template <typename Object, typename List>
bool ObjectReader::keep(Value value, std::optional<Object> object, List& list,
                        std::vector<uint32_t>& lines) {
  if (object && needs_number(value)) seen_->number(*object);
  return keep_named(value, std::move(object), list, lines);
}

template <typename Object, typename List>
bool ObjectReader::keep_named(Value value, std::optional<Object> object, List& list,
                              std::vector<uint32_t>& lines) {
  if (!object) {
    ++objects_.rejected;
    if constexpr (requires { seen_->inspector.inspect(value, *object); })
      seen_->inspector.inspect_fields(value, kind_of(Object()));
    return false;
  }
  if (is_there(value, *object)) return false;
  if constexpr (requires { seen_->inspector.inspect(value, *object); })
    seen_->inspector.inspect(value, *object);
  if constexpr (std::is_same_v<List, std::vector<model::Change>>) {
    list.push_back(model::added(std::move(*object)));
  } else {
    list.push_back(std::move(*object));
  }
  lines.push_back(value.position().line);
  return true;
}

// Rejects an object whose name is taken.
template <typename Object>
bool ObjectReader::is_there(Value value, const Object& object) {
  const auto first = seen_->add(object, value.file(), value.position());
  if (!first) return false;
  reject(value, std::string(kind_of(object)) + " \"" + full_name(object) +
                    "\" is there already, at " + first->to_string() + ": this one is left out");
  return true;
}

void ObjectReader::add_pod(Value value) {
  const uint64_t errors = diagnostics_->count();
  std::optional<model::Pod> pod = validates("Pod")
                                      ? decode_new_pod(value, *diagnostics_, validation_)
                                      : decode_pod(value, *diagnostics_, defaults_);
  if (!keep(value, std::move(pod), objects_.pods, objects_.lines.pods))
    return add_rejected_pod(value, errors);
  objects_.pods_asked.push_back(read_asked(value, defaults_));
}

// With the first of the errors about the pod, unless so many are kept already.
void ObjectReader::add_rejected_pod(Value value, uint64_t errors) {
  const std::vector<Error>& kept = diagnostics_->kept();
  objects_.rejected_pods.push_back(rejected_pod(
      value, errors < kept.size() ? kept[errors].what() : "one of many objects with a fault"));
}

void ObjectReader::add_other(Value value, std::string_view kind) {
  std::optional<model::Object> made =
      decode_object(value, kind, *diagnostics_, defaults_, validation_);
  if (kind == "Namespace") objects_.policies.namespaces.push_back(namespace_rules(value));
  if (!made) {
    ++objects_.rejected;
    return seen_->inspector.inspect_fields(value, kind);
  }
  std::visit(
      [&](auto& object) {
        keep(value, std::optional(std::move(object)), objects_.others, objects_.lines.others);
      },
      *made);
}

bool ObjectReader::check_version(Value value, const Type& type) {
  if (!validates(type.kind) || !is_new(value)) return true;
  const std::optional<std::string> problem = version_problem(type.kind, type.api_version);
  if (!problem) return true;
  if (type.kind == "Pod") objects_.rejected_pods.push_back(rejected_pod(value, *problem));
  const Value version = value.find("apiVersion");
  reject(version.present() ? version : value, *problem);
  return false;
}

bool ObjectReader::check_metadata(Value value, const Type& type) {
  if (type.kind == "Pod" || type.kind == "Node" || type.kind == kKubeletConfiguration ||
      find_kind(type.kind) == nullptr)
    return true;
  if (!validates(type.kind) || !is_new(value)) return true;
  Faults faults(*diagnostics_);
  validate_new_metadata(value, type.kind, nullptr, faults);
  if (faults.none()) return true;
  ++objects_.rejected;
  return false;
}

bool ObjectReader::add_policy(Value value, std::string_view kind) {
  Policies& to = objects_.policies;
  std::vector<uint32_t> no_lines;
  if (kind == "PriorityClass") {
    keep(value, decode_priority_class(value, *diagnostics_), to.priority_classes,
         objects_.lines.priority_classes);
  } else if (kind == "RuntimeClass") {
    keep(value, decode_runtime_class(value, *diagnostics_), to.runtime_classes, no_lines);
  } else if (kind == "LimitRange") {
    keep(value, decode_limit_range(value, *diagnostics_), to.limit_ranges, no_lines);
  } else if (kind == "ResourceQuota") {
    keep(value, decode_quota(value, *diagnostics_), to.quotas, no_lines);
  } else {
    return false;
  }
  return true;
}

bool ObjectReader::is_manifest(Value value) const {
  if (workloads_ != Workloads::kMixed) return workloads_ == Workloads::kManifests;
  return is_new(value);
}

// The pods of a workload are made later. One with a fault is rejected and counts as no pod, since
// it cannot be said how many there would be.
bool ObjectReader::add_workload(Value value, const Type& type) {
  const std::optional<WorkloadKind> kind = workload_kind(type.kind, type.api_version);
  if (!kind) return false;
  if (!is_manifest(value)) return keeps_workloads_ && keep_workload(value, type, *kind);
  const auto owner = selector_owner_kind(type.kind, type.api_version);
  if (owner && is_controlled(value)) return false;
  if (owner && !value.find("spec").find("template").present()) return false;
  std::string number = needs_number(value) ? std::to_string(++numbered_) : std::string();
  std::optional<Workload> workload =
      decode_workload(value, *kind,
                      {std::move(number), kMostExpanded - expanded_,
                       is_new(value) ? validation_ : Validation::kNone},
                      *diagnostics_);
  if (!workload) {
    ++objects_.rejected;
    seen_->inspector.inspect_fields(value, type.kind);
    return true;
  }
  if (!owner && is_there(value, *workload)) return true;
  workload->before = objects_.pods.size();
  std::optional<model::SelectorOwner> selects;
  if (owner) selects = decode_selector_owner(value, *owner, *diagnostics_, defaults_);
  if (*kind == WorkloadKind::kDeployment) selects = replica_set_of(value, *workload);
  if (selects) {
    selects->name = workload->controller.name;
    if (!keep_named(value, std::move(selects), objects_.others, objects_.lines.others)) return true;
  }
  expanded_ += workload->pods;
  seen_->inspector.inspect(value, *workload);
  objects_.workloads.push_back(std::move(*workload));
  return true;
}

// One with a fault has no controller here; for others it stays what it is.
bool ObjectReader::keep_workload(Value value, const Type& type, WorkloadKind kind) {
  if (is_controlled(value) || !value.find("spec").find("template").present()) return false;
  const bool is_owner = selector_owner_kind(type.kind, type.api_version).has_value();
  Diagnostics found;
  std::optional<Workload> workload =
      decode_workload(value, kind, {{}, kMostExpanded, Validation::kNone}, found);
  if (!workload) {
    objects_.remarks.unplayed_workloads.add(std::string(type.kind) + " (" +
                                            found.kept().front().what() + ")");
    return false;
  }
  if (is_owner) {
    objects_.workloads.push_back(std::move(*workload));
    return false;
  }
  if (!is_there(value, *workload)) objects_.workloads.push_back(std::move(*workload));
  return true;
}

void ObjectReader::add_unread(Value value, const Type& type, std::string counted) {
  if (is_manifest(value)) {
    if (counted == "CronJob") {
      model::Pod named;
      named.name = value.find("metadata").find("name").text();
      named.namespace_name = value.find("metadata").find("namespace").text();
      if (named.namespace_name.empty()) named.namespace_name = "default";
      objects_.remarks.cron_jobs.add(named);
    } else if (const auto path = is_new(value) ? pod_template_in(value) : std::nullopt) {
      reject(value, "objects of kind " + counted + " are not expanded: the pods of its " + *path +
                        " are not there");
    }
  }
  seen_->inspector.count_unread(value, type.kind, type.api_version, std::move(counted));
}

void ObjectReader::visit_object(Value value, const Type& type) {
  const uint64_t rejected = objects_.rejected;
  add_object(value, type);
  if (visit_) visit_({value, type.kind, type.api_version, objects_.rejected == rejected});
}

void ObjectReader::add_object(Value value, const Type& type) {
  const std::string_view kind = type.kind;
  const ReadKind* read = find_kind(kind);
  const uint64_t errors = diagnostics_->count();
  if (repeats_keys_ && !has_single_keys(value, report_duplicate_keys)) {
    if (kind == "Pod") add_rejected_pod(value, errors);
    return;
  }
  if (!check_version(value, type) || add_workload(value, type)) return;
  if (read != nullptr && of_other_group(*read, type.api_version)) {
    const std::string_view group = group_of(type.api_version);
    add_unread(value, type, std::string(kind) + (group.empty() ? "" : ".") + std::string(group));
  } else if (!check_metadata(value, type)) {
    return;
  } else if (kind == "Pod") {
    add_pod(value);
  } else if (is_object(kind, type.api_version)) {
    const size_t others = objects_.others.size();
    add_other(value, kind);
    const bool is_set = workload_kind(kind, type.api_version) == WorkloadKind::kReplicaSet;
    if (is_set && objects_.others.size() != others && is_manifest(value) && is_controlled(value))
      objects_.controlled_sets.push_back(controlled_set(value));
  } else if (!add_policy(value, kind)) {
    // Other groups have Workloads, too.
    const bool is_load = kind == "Workload" && group_of(type.api_version) == "berth";
    add_unread(value, type, std::string(kind) + (is_load ? ".berth" : ""));
  }
}

Objects read_objects(const std::vector<std::string>& paths, Diagnostics& diagnostics,
                     Defaults defaults, Workloads workloads, Validation validation) {
  ObjectReader reader(diagnostics, defaults, workloads, validation);
  for (const std::string& path : paths) reader.read(path);
  return reader.take();
}

}  // namespace berth::ingest
