#include "engine/ingest/stream/write/stream_pod_columns.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <numeric>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/io/frame.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/write/stream_encode.h"

namespace berth::ingest {
namespace {

constexpr size_t kMaxTableSize = 65'535;  // indices have 16 bits
// The parts of a payload around the columns: table, vtable, lengths and padding of vectors.
constexpr size_t kSurroundings = 512;
constexpr size_t kBytesPerPod = 4 + 2 + 1 + 1 + 1 + 2 + 2;  // in all columns, without strings
constexpr size_t kBytesPerLabel = 2 + 1;
constexpr size_t kBytesPerTableEntry = 4 + 4 + 1 + 3;  // offset, length, terminator, padding
// Its own offset, the offset to its vtable, and four texts.
constexpr size_t kBytesPerController = 4 + 4 + 4 * kBytesPerTableEntry;

void check_length(const char* what, std::string_view text, std::string_view pod) {
  if (text.size() <= kMaxColumnString) return;
  throw Error("pod \"" + std::string(pod) + "\" cannot be written to a stream: its " + what +
              " is " + std::to_string(text.size()) + " bytes long, and at most " +
              std::to_string(kMaxColumnString) + " are possible");
}

void check(const StreamPod& pod) {
  if (pod.name.empty()) throw Error("a pod without a name cannot be written to a stream");
  check_length("name", pod.name, pod.name);
  if (pod.namespace_name.empty()) {
    throw Error("pod \"" + std::string(pod.name) +
                "\" cannot be written to a stream: it has no namespace");
  }
  check_length("namespace", pod.namespace_name, pod.name);
  check_length("uid", pod.uid, pod.name);
  check_length("nominated node", pod.nominated_node, pod.name);
  for (const auto& [key, value] : pod.labels) check_length("label value", value, pod.name);
  for (const std::string_view claim : pod.claims) check_length("claim", claim, pod.name);
}

size_t table_bytes(const StreamPod& pod) {
  size_t bytes = kBytesPerTableEntry + pod.namespace_name.size();
  for (const auto& [key, value] : pod.labels) bytes += kBytesPerTableEntry + key.size();
  if (const model::Controller* c = pod.controller) {
    bytes += kBytesPerController + c->api_version.size() + c->kind.size() + c->name.size() +
             c->uid.size();
  }
  return bytes;
}

}  // namespace

StreamPod stream_pod(const model::PodBatch& pods, size_t i) {
  StreamPod pod;
  pod.namespace_name = pods.namespace_of(i);
  pod.name = pods.names[i];
  if (!pods.uids.empty()) pod.uid = pods.uids[i];
  if (!pods.nominated_nodes.empty()) pod.nominated_node = pods.nominated_nodes[i];
  if (!pods.label_ends.empty()) {
    const uint32_t begin = i == 0 ? 0 : pods.label_ends[i - 1];
    pod.labels = std::span(pods.labels).subspan(begin, pods.label_ends[i] - begin);
  }
  pod.claims = pods.claims_of(i);
  pod.controller = pods.controller_of(i);
  if (!pods.created_at.empty()) pod.created_at = pods.created_at[i];
  return pod;
}

uint32_t PodColumnsBuilder::Table::number(std::string_view text) {
  // Most pods have the namespace of the previous pod, or its label keys in the same order.
  // Comparing with the last text and with the one after it avoids a hash.
  if (last_ < texts_.size() && texts_[last_] == text) return last_;
  const uint32_t behind = last_ + 1 < texts_.size() ? last_ + 1 : 0;
  if (behind < texts_.size() && texts_[behind] == text) return last_ = behind;
  if (const auto found = numbers_.find(text); found != numbers_.end()) return last_ = found->second;
  if (texts_.size() == kMaxTableSize) return kFull;
  last_ = static_cast<uint32_t>(texts_.size());
  texts_.emplace_back(text);
  return numbers_[std::string(text)] = last_;
}

void PodColumnsBuilder::Table::clear() {
  numbers_.clear();
  texts_.clear();
}

void PodColumnsBuilder::Strings::add(std::string_view text) {
  lengths.push_back(static_cast<uint8_t>(text.size()));
  bytes.insert(bytes.end(), text.begin(), text.end());
}

void PodColumnsBuilder::Strings::clear() {
  lengths.clear();
  bytes.clear();
}

uint32_t PodColumnsBuilder::ControllerTable::number(const model::Controller* controller) {
  if (controller == nullptr) return 0;
  if (last_ != 0 && last_ <= controllers_.size() && controllers_[last_ - 1] == *controller)
    return last_;
  if (const auto found = numbers_.find(*controller); found != numbers_.end())
    return last_ = found->second;
  if (controllers_.size() == kMaxTableSize) return Table::kFull;
  controllers_.push_back(*controller);
  last_ = static_cast<uint32_t>(controllers_.size());
  return numbers_[*controller] = last_;
}

size_t PodColumnsBuilder::ControllerTable::Hash::operator()(
    const model::Controller& controller) const {
  size_t hash = 0;
  for (const std::string* text :
       {&controller.api_version, &controller.kind, &controller.name, &controller.uid})
    boost::hash_combine(hash, *text);
  return hash;
}

void PodColumnsBuilder::ControllerTable::clear() {
  numbers_.clear();
  controllers_.clear();
}

size_t PodColumnsBuilder::entries() const {
  return namespaces_.texts().size() + label_keys_.texts().size() +
         controllers_.controllers().size();
}

bool PodColumnsBuilder::add(const StreamPod& pod) {
  check(pod);
  const size_t in_tables = table_bytes(pod);
  size_t more =
      kBytesPerPod + pod.name.size() + pod.uid.size() + pod.nominated_node.size() + in_tables;
  for (const auto& [key, value] : pod.labels) more += kBytesPerLabel + value.size();
  for (const std::string_view claim : pod.claims) more += 1 + claim.size();
  const bool dated = dated_ || pod.created_at != 0;
  const bool claims = !claim_counts_.empty() || !pod.claims.empty();
  const size_t optional =
      (size() + 1) * ((dated ? sizeof pod.created_at : 0) + (claims ? sizeof(uint16_t) : 0));
  if (size() == kMaxPodsPerFrame || bytes_ + more + optional > kMaxFramePayload - kSurroundings) {
    if (size() != 0) return false;
    throw Error(
        "pod \"" + std::string(pod.name) +
        "\" does not fit into a frame of a stream: its labels, claims and controller take " +
        std::to_string(more) + " bytes");
  }
  const size_t before = entries();
  const uint32_t space = namespaces_.number(pod.namespace_name);
  const uint32_t controller = controllers_.number(pod.controller);
  if (space == Table::kFull || controller == Table::kFull || !add_labels(pod)) return false;
  controller_numbers_.push_back(static_cast<uint16_t>(controller));
  namespace_indices_.push_back(static_cast<uint16_t>(space));
  template_ids_.push_back(pod.template_id);
  names_.add(pod.name);
  uids_.add(pod.uid);
  nominated_nodes_.add(pod.nominated_node);
  created_at_.push_back(pod.created_at);
  if (claims) add_claims(pod);
  dated_ = dated;
  // Texts that were in their tables before need no further room.
  if (entries() == before) more -= in_tables;
  bytes_ += more;
  return true;
}

// The pod has its other columns already.
void PodColumnsBuilder::add_claims(const StreamPod& pod) {
  claim_counts_.resize(size() - 1);
  claim_counts_.push_back(static_cast<uint16_t>(pod.claims.size()));
  for (const std::string_view claim : pod.claims) claims_.add(claim);
}

bool PodColumnsBuilder::add_labels(const StreamPod& pod) {
  const size_t before = label_key_numbers_.size();
  for (const auto& [key, value] : pod.labels) {
    const uint32_t number = label_keys_.number(key);
    if (number == Table::kFull) {
      label_key_numbers_.resize(before);
      return false;
    }
    label_key_numbers_.push_back(static_cast<uint16_t>(number));
  }
  for (const auto& [key, value] : pod.labels) label_values_.add(value);
  label_counts_.push_back(static_cast<uint16_t>(pod.labels.size()));
  return true;
}

flatbuffers::Offset<schema::Pods> PodColumnsBuilder::encode(
    flatbuffers::FlatBufferBuilder& to) const {
  // Keys are written in ascending order, so their numbers change.
  const std::vector<std::string>& keys = label_keys_.texts();
  std::vector<uint16_t> order(keys.size());
  std::iota(order.begin(), order.end(), uint16_t{0});
  std::sort(order.begin(), order.end(), [&](uint16_t a, uint16_t b) { return keys[a] < keys[b]; });
  std::vector<std::string> sorted;
  std::vector<uint16_t> place(keys.size());
  for (const uint16_t number : order) {
    place[number] = static_cast<uint16_t>(sorted.size());
    sorted.push_back(keys[number]);
  }
  std::vector<uint16_t> indices;
  indices.reserve(label_key_numbers_.size());
  for (const uint16_t number : label_key_numbers_) indices.push_back(place[number]);

  const auto bytes = [&](bool used, const std::vector<uint8_t>& column) {
    return used ? to.CreateVector(column) : flatbuffers::Offset<flatbuffers::Vector<uint8_t>>();
  };
  const auto numbers = [&](bool used, const std::vector<uint16_t>& column) {
    return used ? to.CreateVector(column) : flatbuffers::Offset<flatbuffers::Vector<uint16_t>>();
  };
  const bool uids = !uids_.bytes.empty();
  const bool nominated = !nominated_nodes_.bytes.empty();
  const bool labels = !keys.empty();
  const auto template_ids = to.CreateVector(template_ids_);
  const auto namespaces = to.CreateVectorOfStrings(namespaces_.texts());
  const auto namespace_indices = numbers(namespaces_.texts().size() > 1, namespace_indices_);
  const auto name_lengths = to.CreateVector(names_.lengths);
  const auto names = to.CreateVector(names_.bytes);
  const auto uid_lengths = bytes(uids, uids_.lengths);
  const auto uid_bytes = bytes(uids, uids_.bytes);
  const auto nominated_lengths = bytes(nominated, nominated_nodes_.lengths);
  const auto nominated_bytes = bytes(nominated, nominated_nodes_.bytes);
  const auto label_keys =
      labels ? to.CreateVectorOfStrings(sorted) : decltype(to.CreateVectorOfStrings(sorted))();
  const auto label_counts = numbers(labels, label_counts_);
  const auto label_indices = numbers(labels, indices);
  const auto value_lengths = bytes(labels, label_values_.lengths);
  const auto values = bytes(labels, label_values_.bytes);
  std::vector<flatbuffers::Offset<schema::Controller>> controller_tables;
  for (const model::Controller& controller : controllers_.controllers()) {
    controller_tables.push_back(ingest::encode(to, controller));
  }
  const bool controlled = !controller_tables.empty();
  const auto controllers = controlled ? to.CreateVector(controller_tables)
                                      : decltype(to.CreateVector(controller_tables))();
  const auto controller_indices = numbers(controlled, controller_numbers_);
  const auto created_at =
      dated_ ? to.CreateVector(created_at_) : flatbuffers::Offset<flatbuffers::Vector<int64_t>>();
  const auto claim_counts = numbers(!claim_counts_.empty(), claim_counts_);
  const auto claim_lengths = bytes(!claim_counts_.empty(), claims_.lengths);
  const auto claims = bytes(!claim_counts_.empty(), claims_.bytes);
  return schema::CreatePods(to, template_ids, namespaces, namespace_indices, name_lengths, names,
                            uid_lengths, uid_bytes, nominated_lengths, nominated_bytes, label_keys,
                            label_counts, label_indices, value_lengths, values, controllers,
                            controller_indices, created_at, claim_counts, claim_lengths, claims);
}

void PodColumnsBuilder::clear() {
  bytes_ = 0;
  template_ids_.clear();
  namespaces_.clear();
  namespace_indices_.clear();
  names_.clear();
  uids_.clear();
  nominated_nodes_.clear();
  label_keys_.clear();
  label_counts_.clear();
  label_key_numbers_.clear();
  label_values_.clear();
  claim_counts_.clear();
  claims_.clear();
  controllers_.clear();
  controller_numbers_.clear();
  created_at_.clear();
  dated_ = false;
}

}  // namespace berth::ingest
