#include "engine/ingest/written/whole_object.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/workloads/read_pod.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Member;
using document::Value;

// Appends members of an object, separated by commas.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) { out_ += '{'; }
  void end() { out_ += '}'; }
  std::string& key(const Member& member) {
    if (out_.back() != '{') out_ += ',';
    out_ += document::to_json(member.key_value);
    out_ += ':';
    return out_;
  }
  void add(const Member& member) { key(member) += document::to_json(member.value); }

 private:
  std::string& out_;
};

// The server keeps account of writers there, and kube-scheduler drops it.
void append_metadata(Value metadata, std::string& out) {
  Members members(out);
  for (const Member member : metadata.members())
    if (member.key != "managedFields") members.add(member);
  members.end();
}

std::string json_of(Value object) {
  std::string out;
  Members members(out);
  for (const Member member : object.members()) {
    if (member.key == "metadata" && member.value.is(Kind::kObject)) {
      append_metadata(member.value, members.key(member));
    } else {
      members.add(member);
    }
  }
  members.end();
  return out;
}

WholeObject made(WholeObject::Kind kind, Value object, std::string key) {
  WholeObject whole;
  whole.kind = kind;
  whole.key = std::move(key);
  whole.uid = object.find("metadata").find("uid").text();
  whole.line = object.position().line;
  whole.json = json_of(object);
  if (whole.json.size() > WholeObject::kMostBytes) whole.json = {};
  return whole;
}

model::StringMap annotations_of(Value object) {
  model::StringMap annotations;
  for (const document::Member member : object.find("metadata").find("annotations").members())
    annotations.emplace_back(member.key, member.value.text());
  return annotations;
}

model::Pod pod_of_template(Value pod_template) {
  Diagnostics none;
  Faults faults(none);
  model::Pod pod;
  read_pod_spec(object_reader(pod_template, faults), Defaults::kNone, pod);
  return pod;
}

std::string known_pod(const model::Pod& pod) {
  std::string out;
  append(pod, out);
  return out;
}

bool same(Value a, Value b) {
  return a.present() == b.present() &&
         (!a.present() || document::to_json(a) == document::to_json(b));
}

bool contains(Value list, Value element) {
  return std::ranges::any_of(list.elements(), [&](Value one) { return same(one, element); });
}

// Merges what changed from `known` to `now` into what came.
class Update {
 public:
  Update(std::string pod_name, std::string& out) : pod_name_(std::move(pod_name)), out_(out) {}

  // Precondition: `came` and `now` are present.
  void value(Value came, Value known, Value now) {
    if (same(known, now)) {
      out_ += document::to_json(came);
    } else if (came.is(Kind::kObject) && now.is(Kind::kObject)) {
      object(came, known, now);
    } else if (came.is(Kind::kArray) && now.is(Kind::kArray)) {
      array(came, known, now);
    } else {
      out_ += document::to_json(now);
    }
  }

 private:
  // The run takes nothing else from an object that a controller or a user wrote.
  static bool may_go(std::string_view key) {
    return key == "nominatedNodeName" || key == "schedulingGates";
  }

  void object(Value came, Value known, Value now) {
    Members members(out_);
    for (const Member member : came.members()) {
      const Value other = now.find(member.key);
      if (member.key == "volumes") {
        members.key(member);
        volumes(member.value, other);
      } else if (other.present()) {
        members.key(member);
        value(member.value, known.find(member.key), other);
      } else if (member.key == "status" && member.value.is(Kind::kObject)) {
        members.key(member);
        object(member.value, known.find(member.key), {});  // all that was known of it is gone
      } else if (!may_go(member.key)) {
        members.add(member);
      }
    }
    for (const Member member : now.members()) {
      if (came.find(member.key).present() || same(known.find(member.key), member.value)) continue;
      if (member.key == "volumes") {
        members.key(member);
        volumes({}, member.value);
      } else {
        members.add(member);
      }
    }
    members.end();
  }

  void element(const char*& separator) {
    out_ += separator;
    separator = ",";
  }

  // Elements correspond if there are equally many; otherwise those that are new follow.
  void array(Value came, Value known, Value now) {
    out_ += '[';
    const char* separator = "";
    if (came.size() == now.size() && came.size() == known.size()) {
      auto before = known.elements().begin();
      auto after = now.elements().begin();
      for (const Value one : came.elements()) {
        element(separator);
        value(one, *before++, *after++);
      }
    } else {
      for (const Value one : came.elements()) {
        element(separator);
        out_ += document::to_json(one);
      }
      for (const Value one : now.elements())
        if (!contains(known, one)) {
          element(separator);
          out_ += document::to_json(one);
        }
    }
    out_ += ']';
  }

  static std::string claim_of(Value volume) {
    return std::string(volume.find("persistentVolumeClaim").find("claimName").text());
  }

  // The model has no names of volumes. Claims that a StatefulSet's controller added are called
  // NAME-POD, with the volume's name, and replace a volume of that name.
  void volumes(Value came, Value now) {
    std::vector<std::pair<std::string, std::string>> added;  // name and claim
    for (const Value volume : now.elements()) {
      const std::string claim = claim_of(volume);
      const auto is_it = [&](Value one) { return claim_of(one) == claim; };
      if (claim.empty() || std::ranges::any_of(came.elements(), is_it)) continue;
      const bool of_pod = claim.ends_with("-" + pod_name_);
      added.emplace_back(of_pod ? claim.substr(0, claim.size() - pod_name_.size() - 1) : claim,
                         claim);
    }
    out_ += '[';
    const char* separator = "";
    for (const Value volume : came.elements()) {
      const std::string name(volume.find("name").text());
      if (std::ranges::any_of(added, [&](const auto& one) { return one.first == name; })) continue;
      element(separator);
      out_ += document::to_json(volume);
    }
    for (const auto& [name, claim] : added) {
      element(separator);
      out_ += "{\"name\":";
      append_json_text(name, out_);
      out_ += ",\"persistentVolumeClaim\":{\"claimName\":";
      append_json_text(claim, out_);
      out_ += "}}";
    }
    out_ += ']';
  }

  std::string pod_name_;
  std::string& out_;
};

document::Document parsed(const std::string& json) {
  Diagnostics none;
  return document::Document::parse(json, "", none);
}

}  // namespace

std::string key_of_pod(std::string_view namespace_name, std::string_view name) {
  std::string key(namespace_name);
  key += '/';
  key += name;
  return key;
}

std::string key_of_template(std::string_view namespace_name, const model::Controller& controller) {
  return key_of_pod(namespace_name, controller.kind + "/" + controller.name);
}

// A pod with only a generateName is a fault where no API server made the name.
WholeObject whole_pod(Value object, const model::Pod& pod) {
  WholeObject whole =
      made(WholeObject::Kind::kPod, object, key_of_pod(pod.namespace_name, pod.name));
  whole.annotations = annotations_of(object);
  if (!whole.kept()) return whole;
  Diagnostics none;
  const std::optional<model::Pod> bare = decode_pod(object, none, Defaults::kNone);
  whole.known = known_pod(bare ? *bare : pod_of_template(object));
  return whole;
}

// Images that are known are names of one image each, and conditions and capacity are not known:
// those that came stay.
WholeObject whole_node(Value object, const model::Node& node) {
  WholeObject whole = made(WholeObject::Kind::kNode, object, node.name);
  if (!whole.kept()) return whole;
  Diagnostics none;
  std::optional<model::Node> bare = decode_node(object, none, Defaults::kNone);
  if (!bare) bare.emplace();
  bare->images.clear();
  bare->conditions.clear();
  bare->capacity.clear();
  append(*bare, whole.known);
  return whole;
}

WholeObject whole_template(Value workload_object, const Workload& workload) {
  const Value pod_template = workload_object.find("spec").find("template");
  WholeObject whole = made(WholeObject::Kind::kPodTemplate, pod_template,
                           key_of_template(workload.namespace_name, workload.controller));
  whole.annotations = annotations_of(pod_template);
  whole.uid = {};
  whole.line = workload.line;
  if (whole.kept()) whole.known = known_pod(pod_of_template(pod_template));
  return whole;
}

std::string updated(const WholeObject& object, const std::string& now) {
  if (object.known == now) return object.json;
  const document::Document came = parsed(object.json), before = parsed(object.known),
                           after = parsed(now);
  BERTH_ASSERT(came.roots().size() == 1 && before.roots().size() == 1 && after.roots().size() == 1);
  std::string out;
  const Value now_root = after.roots()[0];
  Update(std::string(now_root.find("metadata").find("name").text()), out)
      .value(came.roots()[0], before.roots()[0], now_root);
  return out;
}

}  // namespace berth::ingest
