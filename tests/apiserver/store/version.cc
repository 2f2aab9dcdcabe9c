#include "tests/apiserver/store/version.h"

#include "engine/base/assert.h"
#include "tests/apiserver/objects/forms.h"

namespace berth::apiserver {
namespace {

std::string text_of(const json::value& value) {
  if (value.is_string()) return std::string(view(value.get_string()));
  return json::serialize(value);
}

ObjectText make_text(const json::value& tree) {
  constexpr std::string_view kMetadata = "\"metadata\":", kRevision = "\"resourceVersion\":\"";
  ObjectText text;
  text.json = to_text(tree);
  text.head = text.json.find(kMetadata);
  BERTH_ASSERT(text.head != text.json.npos);
  text.revision_at = text.json.find(kRevision, text.head) + kRevision.size();
  const size_t end = text.json.find('"', text.revision_at);
  BERTH_ASSERT(end != text.json.npos);
  text.revision_size = end - text.revision_at;
  return text;
}

}  // namespace

Version::Version(const Resource& resource, std::string key, const json::value& tree,
                 uint64_t revision)
    : revision_(revision), key_(std::move(key)), text_(make_text(tree)) {
  const size_t slash = key_.find('/');
  name_at_ = slash == key_.npos ? 0 : slash + 1;
  fields_.reserve(resource.fields.size());
  for (const SelectableField& field : resource.fields) {
    const json::value* found = find(tree, field.path);
    fields_.push_back(found == nullptr ? std::string() : text_of(*found));
  }
}

const std::map<std::string, std::string, std::less<>>& Version::labels() const {
  if (labels_) return *labels_;
  labels_.emplace();
  const json::value tree = parse_object(text_.json);
  if (const json::object* found = object_at(tree, "metadata.labels")) {
    for (const auto& [name, value] : *found) labels_->emplace(view(name), text_of(value));
  }
  return *labels_;
}

const ObjectText& Version::text(const Resource& shown) const {
  if (shown.view == View::kStored) return text_;
  if (viewed_ == nullptr) {
    json::value tree = parse_object(text_.json);
    to_view(shown, tree);
    viewed_ = std::make_unique<ObjectText>(make_text(tree));
  }
  return *viewed_;
}

void Version::append_item(const Resource& shown, std::string& to) const {
  const ObjectText& cut = text(shown);
  to += '{';
  to.append(cut.json, cut.head);
}

std::string Version::with_revision(const Resource& shown, uint64_t revision) const {
  const ObjectText& cut = text(shown);
  std::string made(cut.json, 0, cut.revision_at);
  made.append(std::to_string(revision));
  return made.append(cut.json, cut.revision_at + cut.revision_size);
}

}  // namespace berth::apiserver
