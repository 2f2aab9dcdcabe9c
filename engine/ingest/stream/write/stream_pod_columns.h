#pragma once

// Collects the pods of one frame, column by column.

#include <flatbuffers/flatbuffers.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/schema/pod_stream_generated.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/pod_batch.h"

namespace berth::ingest {

// A pod to be scheduled. The views must stay valid only during the call.
struct StreamPod {
  uint32_t template_id = 0;
  std::string_view namespace_name;
  std::string_view name;
  std::string_view uid;             // may be empty
  std::string_view nominated_node;  // may be empty
  // In addition to the template's labels; a label with the same key replaces the template's. Sorted
  // by key, keys are unique.
  std::span<const std::pair<std::string_view, std::string_view>> labels;
  const model::Controller* controller = nullptr;  // null: none
  int64_t created_at = 0;                         // nanoseconds since 1970; 0: not known
  // In place of those of the template; empty: the template's.
  std::span<const std::string_view> claims{};
};

// A pod of a batch. Its template is to be numbered by the caller.
StreamPod stream_pod(const model::PodBatch& pods, size_t i);

// The columns of one frame. The size of the encoded frame is estimated from above, so that a pod is
// refused before the frame becomes too large.
// One thread.
class PodColumnsBuilder {
 public:
  // Returns false, without a change, if the frame has no room. Throws Error if the pod does not fit
  // in any frame.
  bool add(const StreamPod& pod);

  size_t size() const { return template_ids_.size(); }

  // The payload of the frame, with label keys in ascending order.
  flatbuffers::Offset<schema::Pods> encode(flatbuffers::FlatBufferBuilder& to) const;
  void clear();  // begins a new frame and keeps the memory

 private:
  // Distinct strings, numbered in order of first use.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  class Table {
   public:
    // Returns the number of `text`, or kFull if it is new and all numbers are used.
    static constexpr uint32_t kFull = UINT32_MAX;
    uint32_t number(std::string_view text);
    const std::vector<std::string>& texts() const { return texts_; }
    void clear();

   private:
    boost::unordered_flat_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> texts_;
    uint32_t last_ = 0;  // the number returned last
  };
  // A column of strings: lengths and bytes.
  struct Strings {
    void add(std::string_view text);
    void clear();
    std::vector<uint8_t> lengths, bytes;
  };

  // Distinct controllers, numbered from 1 in order of first use; 0 means none.
  class ControllerTable {
   public:
    uint32_t number(const model::Controller* controller);  // Table::kFull likewise
    const std::vector<model::Controller>& controllers() const { return controllers_; }
    void clear();

   private:
    struct Hash {
      size_t operator()(const model::Controller& controller) const;
    };
    boost::unordered_flat_map<model::Controller, uint32_t, Hash> numbers_;
    std::vector<model::Controller> controllers_;
    uint32_t last_ = 0;  // as in Table
  };

  bool add_labels(const StreamPod& pod);
  void add_claims(const StreamPod& pod);
  size_t entries() const;  // total size of all tables

  size_t bytes_ = 0;  // upper bound of the encoded size without created_at_ and claim_counts_
  std::vector<uint32_t> template_ids_;
  Table namespaces_;
  std::vector<uint16_t> namespace_indices_;
  Strings names_, uids_, nominated_nodes_;
  Table label_keys_;
  std::vector<uint16_t> label_counts_, label_key_numbers_;
  Strings label_values_;
  std::vector<uint16_t> claim_counts_;  // empty: no pod has claims of its own
  Strings claims_;
  ControllerTable controllers_;
  std::vector<uint16_t> controller_numbers_;
  std::vector<int64_t> created_at_;
  bool dated_ = false;  // some pod has created_at_, so the column is written
};

}  // namespace berth::ingest
