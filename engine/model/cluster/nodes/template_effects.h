#pragma once

// The change that a pod of a template makes in the sums of the node that it is placed on: the
// columns and the amounts that are added there. Worked out once for a template, and again after a
// column was made or dropped.
//
// Belongs to the node table and has its threads.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/model/cluster/resource_slots.h"
#include "engine/model/columns/catalog.h"
#include "engine/model/columns/change_log.h"
#include "engine/model/columns/column.h"
#include "engine/model/pods/pod_templates.h"

namespace berth::model {

class TemplateEffects {
 public:
  struct Effect {
    uint64_t version = 0;  // of the columns
    std::vector<std::pair<Column*, int64_t>> amounts;
    std::vector<StringId> rare;  // of the resources that it requests
    Changes changes = 0;
  };

  // Both outlive this. `cpu`: the id of that name.
  TemplateEffects(const PodTemplates& templates, const ResourceSlots& rare, StringId cpu)
      : templates_(templates), rare_(rare), cpu_(cpu) {}

  // Valid until the next call.
  const Effect& of(TemplateId pod);
  // A column of nodes was made, or is about to be dropped.
  void use(const ColumnInfo& info, Column& column);
  void drop(const ColumnInfo& info);
  // The id is about to be used for another template.
  void forget(TemplateId pod) {
    if (pod < effects_.size()) effects_[pod] = {};
  }

 private:
  Column*& nonzero(StringId resource) {
    return resource == cpu_ ? nonzero_cpu_column_ : nonzero_memory_column_;
  }

  const PodTemplates& templates_;
  const ResourceSlots& rare_;
  const StringId cpu_;
  Column* pods_column_ = nullptr;
  Column* nonzero_cpu_column_ = nullptr;
  Column* nonzero_memory_column_ = nullptr;
  boost::unordered_flat_map<StringId, std::pair<Column*, Changes>>
      requested_columns_;  // by resource
  uint64_t version_ = 1;
  std::vector<Effect> effects_;  // by template
};

}  // namespace berth::model
