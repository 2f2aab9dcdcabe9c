#include "engine/document/yaml/yaml.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/assert.h"
#include "engine/document/yaml/yaml_events.h"
#include "engine/document/yaml/yaml_merge.h"
#include "engine/document/yaml/yaml_scalar.h"

namespace berth::document::internal {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

struct Anchor {
  static constexpr size_t kOpen = SIZE_MAX;

  size_t begin = 0;  // first cell
  // kOpen while the anchored value is incomplete.
  size_t end = kOpen;
  uint32_t height = 0;  // nesting depth of the value, itself included
};

// An array or object that is still open.
struct Frame {
  size_t cell = 0;
  size_t count = 0;
  bool object = false;
  bool key_next = false;
  uint32_t height = 1;
  std::optional<size_t> anchor;
};

// The kind of a scalar: expands its tag (!!int) and applies the rules of tags. Untagged quoted
// scalars are strings.
Scalar resolve(const YamlEvent& event) {
  std::string_view tag = event.tag;
  if (tag.empty() && !event.plain) return {};
  if (tag.starts_with(kTagPrefix)) tag.remove_prefix(kTagPrefix.size());
  if (!event.tag.empty() && tag == event.tag) return {};  // an application's own tag: a string
  if (tag == "str" || tag == "timestamp") return {};
  if (tag == "binary") throw Malformed{event.offset, "!!binary is not supported"};
  Scalar scalar = resolve_plain(event.text);
  if (tag.empty()) return scalar;
  Kind wanted = tag == "null"                    ? Kind::kNull
                : tag == "bool"                  ? Kind::kBoolean
                : tag == "int" || tag == "float" ? Kind::kNumber
                                                 : Kind::kString;
  bool whole = scalar.number.find_first_of(".e") == std::string::npos;
  if (wanted != scalar.kind || (tag == "int" && !whole)) {
    throw Malformed{event.offset, "the value is not of type !!" + std::string(tag)};
  }
  return scalar;
}

class YamlBuilder {
 public:
  YamlBuilder(Builder& builder, AliasBudget& budget) : builder_(builder), budget_(budget) {}

  void add(const YamlEvent& event);
  // After the last event.
  void end() const;
  bool merges() const { return merges_; }  // some object has `<<` members

 private:
  bool key_next() const { return !frames_.empty() && frames_.back().key_next; }
  void add_scalar(const YamlEvent& event);
  void add_value(const YamlEvent& event, const Scalar& scalar);
  void add_key(const YamlEvent& event, const Scalar& scalar);
  void add_alias(const YamlEvent& event);
  void open(const YamlEvent& event);
  void close();
  void look_for_repeated_key(size_t object);
  void added(uint32_t height);
  std::optional<size_t> name_anchor(const YamlEvent& event);
  void spend(uint32_t offset, size_t cells);

  Builder& builder_;
  AliasBudget& budget_;
  bool merges_ = false;
  std::optional<Malformed> repeated_;  // of a key that is kept
  std::vector<Frame> frames_;
  std::vector<Anchor> anchors_;
  std::map<std::string, size_t, std::less<>> anchor_names_;  // name to the latest anchor with it
};

void YamlBuilder::add(const YamlEvent& event) {
  switch (event.type) {
    case YamlEvent::Type::kScalar:
      return add_scalar(event);
    case YamlEvent::Type::kAlias:
      return add_alias(event);
    case YamlEvent::Type::kArray:
    case YamlEvent::Type::kObject:
      return open(event);
    case YamlEvent::Type::kClose:
      return close();
  }
}

// Merging would drop the second of two equal keys.
void YamlBuilder::end() const {
  if (!repeated_) return;
  if (merges_) throw Malformed(*repeated_);
  builder_.note_repeated_key();
}

void YamlBuilder::look_for_repeated_key(size_t object) {
  auto repeated = builder_.repeated_key(object);
  if (!repeated) return;
  if (!builder_.limits().repeated_keys) throw std::move(*repeated);
  if (!repeated_) repeated_ = std::move(repeated);
}

// Called when a key or value is complete.
void YamlBuilder::added(uint32_t height) {
  if (frames_.empty()) return;
  Frame& frame = frames_.back();
  frame.height = std::max(frame.height, height + 1);
  if (frame.object) frame.key_next = !frame.key_next;
  if (!frame.object || frame.key_next) ++frame.count;
}

std::optional<size_t> YamlBuilder::name_anchor(const YamlEvent& event) {
  if (event.anchor.empty()) return std::nullopt;
  anchors_.push_back({.begin = builder_.size()});
  anchor_names_.insert_or_assign(std::string(event.anchor), anchors_.size() - 1);
  return anchors_.size() - 1;
}

void YamlBuilder::add_scalar(const YamlEvent& event) {
  std::optional<size_t> anchor = name_anchor(event);
  bool merge_key = key_next() && event.plain && event.text == "<<";
  Scalar scalar = resolve(event);
  if (scalar.unprintable) throw Malformed{event.offset, "a number that JSON cannot represent"};
  if (merge_key) {
    merges_ = true;
    builder_.add_string(event.offset, kMergeKey);
  } else if (key_next()) {
    add_key(event, scalar);
  } else {
    add_value(event, scalar);
  }
  if (anchor) anchors_[*anchor].end = builder_.size();
  added(0);
}

void YamlBuilder::add_value(const YamlEvent& event, const Scalar& scalar) {
  switch (scalar.kind) {
    case Kind::kNull:
      return builder_.add_null(event.offset);
    case Kind::kBoolean:
      return builder_.add_boolean(event.offset, scalar.truth);
    case Kind::kNumber:
      return builder_.add_number(event.offset, builder_.keep(scalar.number));
    default:
      return builder_.add_string(event.offset, builder_.keep(event.text));
  }
}

void YamlBuilder::add_key(const YamlEvent& event, const Scalar& scalar) {
  switch (scalar.kind) {
    case Kind::kNull:
      throw Malformed{event.offset, "a key is missing"};
    case Kind::kBoolean:
      return builder_.add_string(event.offset, scalar.truth ? "true" : "false");
    case Kind::kNumber:
      if (scalar.number.find_first_of(".e") != std::string::npos) {
        throw Malformed{event.offset, "a key that is a number with a fraction: put it in quotes"};
      }
      return builder_.add_string(event.offset, builder_.keep(scalar.number));
    default:
      return builder_.add_string(event.offset, builder_.keep(event.text));
  }
}

void YamlBuilder::spend(uint32_t offset, size_t cells) {
  budget_.spent += cells;
  if (budget_.spent > builder_.limits().alias_values) {
    throw Malformed{offset, "aliases expand to more than " +
                                std::to_string(builder_.limits().alias_values) + " values"};
  }
}

void YamlBuilder::add_alias(const YamlEvent& event) {
  auto named = anchor_names_.find(event.anchor);
  if (named == anchor_names_.end()) {
    throw Malformed{event.offset, "no anchor &" + std::string(event.anchor) + " before this alias"};
  }
  const Anchor anchor = anchors_[named->second];
  if (anchor.end == Anchor::kOpen) {
    throw Malformed{event.offset, "*" + std::string(event.anchor) + " contains itself"};
  }
  if (key_next() && builder_.cell(anchor.begin).kind() != Kind::kString) {
    throw Malformed{event.offset, "an alias that is a key must refer to a string"};
  }
  if (frames_.size() + anchor.height > builder_.limits().depth) {
    throw Malformed{event.offset, "nested deeper than " + std::to_string(builder_.limits().depth)};
  }
  spend(event.offset, anchor.end - anchor.begin);
  builder_.copy(anchor.begin, anchor.end);
  added(anchor.height);
}

void YamlBuilder::open(const YamlEvent& event) {
  if (key_next()) throw Malformed{event.offset, "a key must be a string"};
  if (frames_.size() >= builder_.limits().depth) {
    throw Malformed{event.offset, "nested deeper than " + std::to_string(builder_.limits().depth)};
  }
  Frame& frame = frames_.emplace_back();
  frame.anchor = name_anchor(event);
  frame.object = event.type == YamlEvent::Type::kObject;
  frame.key_next = frame.object;
  frame.cell = builder_.open(event.offset, frame.object ? Kind::kObject : Kind::kArray);
}

void YamlBuilder::close() {
  BERTH_ASSERT(!frames_.empty());
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  builder_.close(frame.cell, frame.count);
  if (frame.object) look_for_repeated_key(frame.cell);
  if (frame.anchor) {
    anchors_[*frame.anchor].end = builder_.size();
    anchors_[*frame.anchor].height = frame.height;
  }
  added(frame.height);
}

// libyaml searches a list of all %TAG directives for each tag, so many directives take quadratic
// time.
void check_directives(std::string_view text, uint32_t begin, uint32_t end) {
  constexpr int kMost = 16;
  int directives = 0;
  for (size_t at = begin; at < end; ++at) {
    if (text[at] == '%' && ++directives > kMost) {
      throw Malformed{uint32_t(at), "more than " + std::to_string(kMost) + " directives"};
    }
    if (std::string_view("%# \t\r\n").find(text[at]) == std::string_view::npos) return;
    at = std::min<size_t>(text.find('\n', at), end);
  }
}

}  // namespace

bool parse_yaml(Builder& builder, AliasBudget& budget, uint32_t begin, uint32_t end) {
  check_directives(builder.storage().text, begin, end);
  YamlEvents events(builder.storage(), begin, end);
  YamlBuilder document(builder, budget);
  const size_t root = builder.size();
  try {
    while (std::optional<YamlEvent> event = events.next()) document.add(*event);
    document.end();
  } catch (const Malformed&) {
    // Members that are not merged yet mean nothing, so the caller shall find no beginning of a
    // list.
    if (document.merges()) builder.rewind(root);
    throw;
  }
  if (builder.size() == root) return false;
  if (builder.cell(root).kind() == Kind::kNull) {
    builder.rewind(root);
    return false;
  }
  if (document.merges()) merge_yaml(builder, root);
  return true;
}

}  // namespace berth::document::internal
