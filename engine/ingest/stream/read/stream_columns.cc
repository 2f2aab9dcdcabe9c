#include "engine/ingest/stream/read/stream_columns.h"

#include <simdjson.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ingest/admission/pods/admit_template.h"
#include "engine/ingest/stream/read/stream_decode.h"
#include "engine/model/columns/strings.h"

namespace berth::ingest {
namespace {

using flatbuffers::uoffset_t;

template <typename T>
using Column = flatbuffers::Vector<T>;
using Strings = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

// The reason why an entry is rejected; empty: it is valid.
using Problem = std::optional<std::string>;

std::string_view view_of(const flatbuffers::String& text) { return {text.c_str(), text.size()}; }

template <typename T>
size_t size_of(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

StreamFault wrong_length(const char* field, size_t length, size_t expected) {
  return {field,
          "has " + std::to_string(length) + " elements instead of " + std::to_string(expected)};
}

// A column of strings: their lengths, and their bytes without gaps. Read in order.
class StringColumn {
 public:
  // Returns the fault of the column as a whole.
  std::optional<StreamFault> open(const Column<uint8_t>* lengths, const Column<uint8_t>* bytes,
                                  const char* lengths_name, const char* bytes_name, size_t count);

  std::string_view next() {
    const size_t length = lengths_[at_++];
    const std::string_view text(bytes_, length);
    bytes_ += length;
    return text;
  }

  bool is_utf8(std::string_view text) const {
    return trusted_ || simdjson::validate_utf8(text.data(), text.size());
  }

 private:
  const uint8_t* lengths_ = nullptr;
  const char* bytes_ = nullptr;
  size_t at_ = 0;
  bool trusted_ = true;  // every string is known to be UTF-8
};

std::optional<StreamFault> StringColumn::open(const Column<uint8_t>* lengths,
                                              const Column<uint8_t>* bytes,
                                              const char* lengths_name, const char* bytes_name,
                                              size_t count) {
  if (size_of(lengths) != count) return wrong_length(lengths_name, size_of(lengths), count);
  if (count == 0) {
    if (size_of(bytes) != 0) return wrong_length(bytes_name, bytes->size(), 0);
    return std::nullopt;
  }
  lengths_ = lengths->data();
  size_t total = 0;
  for (size_t i = 0; i < count; ++i) total += lengths_[i];
  if (size_of(bytes) != total) return wrong_length(bytes_name, size_of(bytes), total);
  if (bytes == nullptr) return std::nullopt;  // all strings are empty

  bytes_ = reinterpret_cast<const char*>(bytes->data());
  // If the whole is UTF-8, a string can be invalid only if a character crosses a boundary.
  bool cut = false;
  size_t begin = 0;
  for (size_t i = 0; i < count && begin < total; begin += lengths_[i++]) {
    cut |= (static_cast<uint8_t>(bytes_[begin]) & 0xc0) == 0x80;
  }
  trusted_ = !cut && simdjson::validate_utf8(bytes_, total);
  return std::nullopt;
}

Problem name_problem(std::string_view name, const char* what, bool utf8) {
  if (name.empty()) return std::string("has no ") + what;
  if (name.size() > kMaxColumnString) {
    return std::string(what) + " is longer than " + std::to_string(kMaxColumnString) + " bytes";
  }
  if (!utf8) return std::string(what) + " is not UTF-8";
  return std::nullopt;
}

// A table of strings that a column of indices refers to. An index to an entry with a problem has
// the same problem.
class StringTable {
 public:
  // Writes the strings to `texts`.
  StringTable(const Strings* in, const char* what, std::vector<std::string_view>& texts)
      : texts_(texts), what_(what) {
    texts_.clear();
    for (uoffset_t i = 0; i < size_of(in); ++i) {
      texts_.push_back(view_of(*in->Get(i)));
      sound_ = sound_ && !entry_problem(i);
    }
  }

  bool good(size_t index) const {
    return index < texts_.size() && (sound_ || !entry_problem(index));
  }
  Problem problem(size_t index) const {
    if (index < texts_.size()) return entry_problem(index);
    return std::string(what_) + " " + std::to_string(index) + " is not one of the " +
           std::to_string(texts_.size()) + " of the frame";
  }
  std::string_view operator[](size_t index) const { return texts_[index]; }

 private:
  Problem entry_problem(size_t index) const {
    const std::string_view text = texts_[index];
    // A long text is rejected for its length, so it is not checked again for each pod.
    const bool utf8 =
        text.size() > kMaxColumnString || simdjson::validate_utf8(text.data(), text.size());
    return name_problem(text, what_, utf8);
  }

  std::vector<std::string_view>& texts_;
  const char* what_;
  bool sound_ = true;  // no entry has a problem
};

// The columns of the pods' own labels.
class LabelColumns {
 public:
  std::optional<StreamFault> open(const schema::Pods& in, size_t count);

  // Appends the labels of the next pod to `out`, those that are valid.
  Problem next(PodBatch& out);
  // Skips the labels of the next pod.
  void skip();

  bool present() const { return counts_ != nullptr; }

 private:
  std::optional<StreamFault> open_keys(const Strings* keys);

  const Column<uint16_t>* counts_ = nullptr;
  const Column<uint16_t>* keys_ = nullptr;
  StringColumn values_;
  std::vector<std::string_view> key_texts_;
  uoffset_t pod_ = 0;
  uoffset_t label_ = 0;
};

std::optional<StreamFault> LabelColumns::open_keys(const Strings* keys) {
  key_texts_.reserve(size_of(keys));
  for (uoffset_t i = 0; i < size_of(keys); ++i) {
    const std::string_view key = view_of(*keys->Get(i));
    const std::string path = "label_keys[" + std::to_string(i) + "]";
    if (!simdjson::validate_utf8(key.data(), key.size())) return StreamFault{path, "is not UTF-8"};
    if (key.empty()) return StreamFault{path, "is empty"};
    if (i > 0 && key <= key_texts_.back()) return StreamFault{path, "is not above the one before"};
    key_texts_.push_back(key);
  }
  return std::nullopt;
}

std::optional<StreamFault> LabelColumns::open(const schema::Pods& in, size_t count) {
  counts_ = in.label_counts();
  keys_ = in.label_key_indices();
  if (counts_ != nullptr && counts_->size() != count) {
    return wrong_length("label_counts", counts_->size(), count);
  }
  size_t total = 0;
  for (uoffset_t i = 0; i < size_of(counts_); ++i) total += counts_->Get(i);
  if (size_of(keys_) != total) return wrong_length("label_key_indices", size_of(keys_), total);
  if (auto fault = values_.open(in.label_value_lengths(), in.label_values(), "label_value_lengths",
                                "label_values", total)) {
    return fault;
  }
  return open_keys(in.label_keys());
}

Problem LabelColumns::next(PodBatch& out) {
  Problem problem;
  for (size_t left = counts_->Get(pod_++), first = label_; left > 0; --left, ++label_) {
    const size_t key = keys_->Get(label_);
    const std::string_view value = values_.next();
    if (key >= key_texts_.size()) {
      problem = "label key " + std::to_string(key) + " is not one of the " +
                std::to_string(key_texts_.size()) + " of the frame";
    } else if (label_ != first && key <= keys_->Get(label_ - 1)) {
      problem = "label keys are not ascending";
    } else if (!values_.is_utf8(value)) {
      problem = "a label's value is not UTF-8";
    } else {
      out.labels.emplace_back(key_texts_[key], value);
    }
  }
  return problem;
}

void LabelColumns::skip() {
  for (size_t left = counts_->Get(pod_++); left > 0; --left, ++label_) values_.next();
}

// The columns of the pods' own claims.
class ClaimColumns {
 public:
  std::optional<StreamFault> open(const schema::Pods& in, size_t count) {
    counts_ = in.claim_counts();
    if (counts_ != nullptr && counts_->size() != count)
      return wrong_length("claim_counts", counts_->size(), count);
    size_t total = 0;
    for (uoffset_t i = 0; i < size_of(counts_); ++i) total += counts_->Get(i);
    return names_.open(in.claim_lengths(), in.claims(), "claim_lengths", "claims", total);
  }

  bool present() const { return counts_ != nullptr; }

  // Appends the claims of the next pod to `out`. `spec`: of its template; null if the pod is faulty
  // already.
  Problem next(const model::PodSpec* spec, PodBatch& out) {
    const size_t count = counts_->Get(pod_++);
    Problem problem;
    for (size_t i = 0; i < count; ++i) {
      const std::string_view name = names_.next();
      if (!problem) problem = name_problem(name, "claim", names_.is_utf8(name));
      out.claims.push_back(name);
    }
    if (problem || spec == nullptr || count == 0) return problem;
    const size_t wanted = model::own_claims(*spec);
    if (count != wanted) problem = claims_problem(count, wanted);
    return problem;
  }

 private:
  const Column<uint16_t>* counts_ = nullptr;
  StringColumn names_;
  uoffset_t pod_ = 0;
};

// The controllers of a frame, to which a column of indices refers: 0 is none, i the i-th.
class ControllerColumn {
 public:
  // Writes the controllers to `out`.
  std::optional<StreamFault> open(const schema::Pods& in, size_t count, PodBatch& out);

  bool present() const { return indices_ != nullptr; }
  uint32_t operator[](uoffset_t pod) const { return present() ? indices_->Get(pod) : 0; }
  Problem problem(uint32_t index) const {
    if (index == 0) return std::nullopt;
    if (index <= problems_.size()) return problems_[index - 1];
    return "controller " + std::to_string(index) + " is not one of the " +
           std::to_string(problems_.size()) + " of the frame";
  }

 private:
  const Column<uint16_t>* indices_ = nullptr;
  std::vector<Problem> problems_;  // one per controller
};

std::optional<StreamFault> ControllerColumn::open(const schema::Pods& in, size_t count,
                                                  PodBatch& out) {
  indices_ = in.controller_indices();
  if (present() && indices_->size() != count) {
    return wrong_length("controller_indices", indices_->size(), count);
  }
  ObjectDecoder decoder;
  for (uoffset_t i = 0; i < size_of(in.controllers()); ++i) {
    decoder.begin("controllers", i);
    out.controllers.push_back(decoder.controller(*in.controllers()->Get(i)));
    problems_.push_back(decoder.good() ? Problem()
                                       : decoder.fault().path + " " + decoder.fault().message);
  }
  return std::nullopt;
}

// Decodes the pods of one frame into a batch.
class PodColumns {
 public:
  PodColumns(const schema::Pods& in, const StreamTemplates& templates, PodBatch& out)
      : in_(in),
        templates_(templates),
        out_(out),
        namespaces_(in.namespaces(), "namespace", out.namespaces) {}

  std::optional<StreamFault> open();
  void decode(const Refusal& refuse);

 private:
  Problem problem(uint32_t template_id, size_t space, uint32_t controller, std::string_view name,
                  std::string_view uid, std::string_view nominated) const;

  Problem next_labels(uint32_t template_id);

  const schema::Pods& in_;
  const StreamTemplates& templates_;
  PodBatch& out_;
  StringTable namespaces_;
  size_t count_ = 0;
  StringColumn names_, uids_, nominated_;
  LabelColumns labels_;
  ClaimColumns claims_;
  ControllerColumn controllers_;
};

std::optional<StreamFault> PodColumns::open() {
  count_ = size_of(in_.template_ids());
  if (count_ > kMaxPodsPerFrame) return wrong_length("template_ids", count_, kMaxPodsPerFrame);
  if (in_.namespace_indices() != nullptr && in_.namespace_indices()->size() != count_) {
    return wrong_length("namespace_indices", in_.namespace_indices()->size(), count_);
  }
  if (in_.created_at() != nullptr && in_.created_at()->size() != count_) {
    return wrong_length("created_at", in_.created_at()->size(), count_);
  }
  if (auto fault = names_.open(in_.name_lengths(), in_.names(), "name_lengths", "names", count_)) {
    return fault;
  }
  if (auto fault = uids_.open(in_.uid_lengths(), in_.uids(), "uid_lengths", "uids",
                              in_.uid_lengths() == nullptr ? 0 : count_)) {
    return fault;
  }
  if (auto fault = nominated_.open(in_.nominated_node_lengths(), in_.nominated_nodes(),
                                   "nominated_node_lengths", "nominated_nodes",
                                   in_.nominated_node_lengths() == nullptr ? 0 : count_)) {
    return fault;
  }
  if (auto fault = controllers_.open(in_, count_, out_)) return fault;
  if (auto fault = claims_.open(in_, count_)) return fault;
  return labels_.open(in_, count_);
}

Problem PodColumns::problem(uint32_t template_id, size_t space, uint32_t controller,
                            std::string_view name, std::string_view uid,
                            std::string_view nominated) const {
  if (Problem bad = name_problem(name, "name", names_.is_utf8(name))) return bad;
  if (!namespaces_.good(space)) return namespaces_.problem(space);
  switch (templates_.state(template_id)) {
    case StreamTemplates::State::kUnknown:
      return "template " + std::to_string(template_id) + " was not defined";
    case StreamTemplates::State::kPlaced:
      return "template " + std::to_string(template_id) +
             " says that its pods are placed already, which is told by an event";
    case StreamTemplates::State::kWaiting:
      break;
  }
  if (!uids_.is_utf8(uid)) return "uid is not UTF-8";
  if (!nominated_.is_utf8(nominated)) return "nominated node is not UTF-8";
  return controllers_.problem(controller);
}

Problem PodColumns::next_labels(uint32_t template_id) {
  const size_t before = out_.labels.size();
  if (Problem bad = labels_.next(out_)) return bad;
  const std::span own = std::span(out_.labels).subspan(before);
  if (own.empty() || !has_label_keys(templates_.spec(template_id).affinity)) return std::nullopt;
  return own_labels_problem(templates_.spec(template_id),
                            [&](std::string_view key) { return label_of(own, key); });
}

std::string described(std::string_view name, bool utf8, const std::string& problem) {
  if (!utf8 || name.empty()) return problem;
  return "pod " + std::string(name) + ": " + problem;
}

void PodColumns::decode(const Refusal& refuse) {
  const bool has_uids = in_.uid_lengths() != nullptr;
  const bool has_nominated = in_.nominated_node_lengths() != nullptr;
  out_.template_ids.reserve(count_);
  out_.namespace_indices.reserve(count_);
  out_.names.reserve(count_);
  out_.name_hashes.reserve(count_);
  for (uoffset_t i = 0; i < count_; ++i) {
    const uint32_t template_id = in_.template_ids()->Get(i);
    const uint32_t space = in_.namespace_indices() == nullptr ? 0 : in_.namespace_indices()->Get(i);
    const std::string_view name = names_.next();
    const std::string_view uid = has_uids ? uids_.next() : std::string_view();
    const std::string_view nominated = has_nominated ? nominated_.next() : std::string_view();
    const uint32_t controller = controllers_[i];
    const size_t labels = out_.labels.size(), claims = out_.claims.size();
    Problem bad = problem(template_id, space, controller, name, uid, nominated);
    if (labels_.present()) {
      if (!bad) {
        bad = next_labels(template_id);
      } else {
        labels_.skip();
      }
    }
    if (claims_.present()) {
      Problem of_claims = claims_.next(bad ? nullptr : &templates_.spec(template_id), out_);
      if (!bad) bad = std::move(of_claims);
    }
    if (bad) {
      out_.labels.resize(labels);
      out_.claims.resize(claims);
      refuse({"pods[" + std::to_string(i) + "]", described(name, names_.is_utf8(name), *bad)});
      continue;
    }
    out_.template_ids.push_back(template_id);
    out_.namespace_indices.push_back(space);
    out_.names.push_back(name);
    // Here, because the thread that reads is mostly not the one that decides.
    out_.name_hashes.push_back(model::Strings::hash(name));
    if (has_uids) out_.uids.push_back(uid);
    if (has_nominated) out_.nominated_nodes.push_back(nominated);
    if (in_.created_at() != nullptr) out_.created_at.push_back(in_.created_at()->Get(i));
    if (controllers_.present()) out_.controller_indices.push_back(controller);
    if (labels_.present()) out_.label_ends.push_back(static_cast<uint32_t>(out_.labels.size()));
    if (claims_.present()) out_.claim_ends.push_back(static_cast<uint32_t>(out_.claims.size()));
  }
}

}  // namespace

std::string claims_problem(size_t own, size_t wanted) {
  return "has " + std::to_string(own) + " claims of its own, and its template has " +
         std::to_string(wanted);
}

std::optional<StreamFault> decode_pods(const schema::Pods& in, const StreamTemplates& templates,
                                       PodBatch& out, const Refusal& refuse) {
  out.clear();
  PodColumns columns(in, templates, out);
  if (auto fault = columns.open()) {
    out.clear();
    return fault;
  }
  columns.decode(refuse);
  return std::nullopt;
}

std::optional<StreamFault> decode_bindings(const schema::Bindings& in, BindingBatch& out,
                                           const Refusal& refuse) {
  out.clear();
  const size_t count = size_of(in.name_lengths());
  if (count > kMaxPodsPerFrame) return wrong_length("name_lengths", count, kMaxPodsPerFrame);
  StringColumn namespaces, names, nodes;
  if (auto fault = namespaces.open(in.namespace_lengths(), in.namespaces(), "namespace_lengths",
                                   "namespaces", count)) {
    return fault;
  }
  if (auto fault = names.open(in.name_lengths(), in.names(), "name_lengths", "names", count)) {
    return fault;
  }
  if (auto fault = nodes.open(in.node_lengths(), in.nodes(), "node_lengths", "nodes", count)) {
    return fault;
  }
  for (size_t i = 0; i < count; ++i) {
    const std::string_view space = namespaces.next();
    const std::string_view name = names.next();
    const std::string_view node = nodes.next();
    Problem bad = name_problem(name, "name", names.is_utf8(name));
    if (!bad) bad = name_problem(space, "namespace", namespaces.is_utf8(space));
    if (!bad) bad = name_problem(node, "node", nodes.is_utf8(node));
    if (bad) {
      refuse({"bindings[" + std::to_string(i) + "]", std::move(*bad)});
      continue;
    }
    out.namespaces.push_back(space);
    out.names.push_back(name);
    out.nodes.push_back(node);
  }
  return std::nullopt;
}

}  // namespace berth::ingest
