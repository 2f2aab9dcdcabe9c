#include <algorithm>
#include <type_traits>

#include "engine/base/text/number_text.h"
#include "engine/document/yaml/write_yaml.h"
#include "engine/ingest/conversion/target.h"
#include "engine/ingest/workloads/pod_names.h"
#include "engine/ingest/written/object_json.h"

namespace berth::ingest {
namespace {

template <typename Object>
std::string json_of(const Object& object) {
  std::string text;
  append(object, text);
  return text;
}

}  // namespace

void ObjectWriter::begin() {
  if (format_ == Format::kYaml) {
    if (begun_) text_ += "---\n";
  } else {
    text_ += begun_ ? ",\n" : "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n";
  }
  begun_ = true;
}

void ObjectWriter::flush(size_t most) {
  if (text_.size() <= most) return;
  sink_.write(text_);
  text_.clear();
}

void ObjectWriter::add(document::Value object, std::string_view kind,
                       std::string_view api_version) {
  begin();
  const bool has_kind = object.find("kind").present();
  const bool has_version = object.find("apiVersion").present();
  const bool yaml = format_ == Format::kYaml;
  if (yaml) {
    if (!has_version && !api_version.empty())
      text_ += "apiVersion: " + std::string(api_version) + "\n";
    if (!has_kind) text_ += "kind: " + std::string(kind) + "\n";
    text_ += document::to_yaml(object);
    return flush(kWrittenTogether);
  }
  const auto added = [&](std::string_view key, std::string_view value) {
    append_json_text(key, text_);
    text_ += ':';
    append_json_text(value, text_);
    text_ += ',';
  };
  if (has_kind && (has_version || api_version.empty())) {
    document::append_json(object, text_);
  } else {
    text_ += '{';
    if (!has_version && !api_version.empty()) added("apiVersion", api_version);
    if (!has_kind) added("kind", kind);
    const size_t rest = text_.size();
    document::append_json(object, text_);
    text_.erase(rest, 1);                                      // its brace
    if (object.size() == 0) text_.erase(text_.size() - 2, 1);  // the last comma
  }
  flush(kWrittenTogether);
}

void ObjectWriter::add(const std::string& json) {
  begin();
  if (format_ == Format::kYaml) {
    Diagnostics none;
    const document::Document document = document::Document::parse(json, "", none);
    text_ += document::to_yaml(document.roots().front());
  } else {
    text_ += json;
  }
  flush(kWrittenTogether);
}

void ObjectWriter::end() {
  if (format_ == Format::kJson) {
    if (!begun_) text_ += "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[";
    text_ += "\n]}\n";
  }
  flush(0);
}

void KnownTemplates::take(const Batch& batch) {
  for (const model::TemplateDefinition& definition : batch.templates) {
    if (definition.id >= specs_.size()) specs_.resize(definition.id + 1);
    specs_[definition.id] = definition.spec;
  }
}

std::string without_uid(uint64_t pods) {
  return "pods without a UID: " + grouped(pods) +
         "; `berth run` admits them when it reads the file, unless it has --admission off";
}

model::Pod created(model::Pod pod, const Conversion& conversion) {
  if (pod.uid.empty() && conversion.admission)
    pod.uid = made_uid("Pod", pod.namespace_name, pod.name);
  return pod;
}

model::VolumeObject created(model::VolumeObject object, const Conversion& conversion) {
  auto* claim = std::get_if<model::PersistentVolumeClaim>(&object);
  if (claim != nullptr && claim->uid.empty() && conversion.admission)
    claim->uid = made_uid("PersistentVolumeClaim", claim->namespace_name, claim->name);
  return object;
}

void drop_other(const Batch& batch, Conversion& conversion) {
  if (batch.kind == BatchKind::kNote) conversion.dropped.add("notes of a stream");
  if (batch.kind == BatchKind::kBindings)
    conversion.dropped.add("bindings of a stream", batch.bindings.size());
}

void ObjectTarget::take(const Batch& batch) {
  if (batch.kind == BatchKind::kPods) {
    ++pod_batches_;
    for (size_t i = 0; i < batch.pods.size(); ++i) {
      const model::Pod pod =
          created(pod_of(batch.pods, i, *templates_.spec(batch.pods.template_ids[i])), conversion_);
      if (pod.uid.empty()) ++fresh_pods_;
      writer_.add(json_of(pod));
    }
  } else if (batch.kind == BatchKind::kCluster || batch.kind == BatchKind::kEvents) {
    for (const Change& change : batch.changes) take(change);
  } else {
    templates_.take(batch);
    drop_other(batch, conversion_);
  }
}

void ObjectTarget::take(const Change& change) {
  if (change.operation != model::Operation::kAdded) {
    ++events_;
    return;
  }
  std::visit(
      [&]<typename One>(const One& one) {
        if constexpr (std::is_same_v<One, TemplatePod>) {
          writer_.add(json_of(created(one.pod(), conversion_)));
        } else if constexpr (std::is_same_v<One, model::VolumeObject>) {
          writer_.add(json_of(created(one, conversion_)));
        } else {
          writer_.add(json_of(one));
        }
      },
      change.object);
}

void ObjectTarget::end() {
  if (events_ != 0)
    conversion_.faults.report(
        Error(grouped(events_) +
              " events change or delete objects and are left out, because files of objects have no "
              "events: --to jsonl and --to frames keep them"));
  if (pod_batches_ > 1)
    conversion_.notes.push_back("the pods came in " + grouped(pod_batches_) +
                                " batches, and arrive together in the new file");
  if (fresh_pods_ != 0) conversion_.notes.push_back(without_uid(fresh_pods_));
}

}  // namespace berth::ingest
