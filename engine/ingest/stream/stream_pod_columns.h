#pragma once

// Pods on their way into one frame, column by column.

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

namespace berth::ingest {

// A pod that waits to be scheduled. The views need to live as long as the call that takes it.
struct StreamPod {
  uint32_t template_id = 0;
  std::string_view namespace_name;
  std::string_view name;
  std::string_view uid;             // may be empty
  std::string_view nominated_node;  // may be empty
  // Besides those of the template, or in place of those of the same key; sorted by key, keys
  // unique.
  std::span<const std::pair<std::string_view, std::string_view>> labels;
  const model::Controller* controller = nullptr;  // null: none
};

class PodColumnsBuilder {
 public:
  // False if there is no room; nothing changed then. Throws Error if the pod fits into no frame.
  bool add(const StreamPod& pod);

  size_t size() const { return template_ids_.size(); }

  flatbuffers::Offset<schema::Pods> encode(flatbuffers::FlatBufferBuilder& to) const;
  void clear();

 private:
  // Strings that are told apart, numbered in the order in which they first came.
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  class Table {
   public:
    // The number of `text`; kFull if it is new and there is no number left.
    static constexpr uint32_t kFull = UINT32_MAX;
    uint32_t number(std::string_view text);
    const std::vector<std::string>& texts() const { return texts_; }
    void clear();

   private:
    boost::unordered_flat_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> texts_;
    uint32_t last_ = 0;  // the number that was asked for last
  };
  struct Strings {
    void add(std::string_view text);
    void clear();
    std::vector<uint8_t> lengths, bytes;
  };

  // Controllers that are told apart, numbered likewise, from 1; 0 is none.
  class ControllerTable {
   public:
    uint32_t number(const model::Controller* controller);  // Table::kFull as there
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
  size_t entries() const;  // of all tables

  size_t bytes_ = 0;  // an upper bound of what the columns take in a frame
  std::vector<uint32_t> template_ids_;
  Table namespaces_;
  std::vector<uint16_t> namespace_indices_;
  Strings names_, uids_, nominated_nodes_;
  Table label_keys_;
  std::vector<uint16_t> label_counts_, label_key_numbers_;
  Strings label_values_;
  ControllerTable controllers_;
  std::vector<uint16_t> controller_numbers_;
};

}  // namespace berth::ingest
