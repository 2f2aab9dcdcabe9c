#pragma once

// Collects remarks about objects that were decoded: unknown fields, volume claims,
// priority classes without a priority. Internal to this module.

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"
#include "engine/ingest/objects/fields/api_fields.h"
#include "engine/ingest/objects/remarks.h"
#include "engine/ingest/workloads/workload.h"
#include "engine/model/objects/change.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// One thread.
class Inspector {
 public:
  // Adds to `remarks`, which must outlive the inspector.
  explicit Inspector(Remarks& remarks);

  // Inspects a value and the object that it was decoded to. `line`: the line of the file, from 1,
  // in which the value's document begins; places of remarks are relative to the file.
  void inspect(document::Value value, const model::Pod& pod, uint32_t line = 1);
  void inspect(document::Value value, const model::Node& node, uint32_t line = 1);
  // Looks for its status alone, not at its fields.
  void inspect(document::Value value, const model::DisruptionBudget& budget, uint32_t line = 1);
  // Of a KubeletConfiguration, looks for fields that kubelets of a run do not read.
  void inspect(document::Value value, const model::ControllerObject& object, uint32_t line = 1);
  // The same of an object that was changed: what may be new of it.
  void inspect_again(document::Value value, const model::Node& node);
  void inspect_again(document::Value value, const model::ControllerObject& object);
  // Fields alone; what its pods have in common is counted when it is expanded.
  void inspect(document::Value value, const Workload& workload, uint32_t line = 1);
  // Fields alone, of an object that has a fault. Of kinds other than Pod, Node and workloads,
  // nothing is known.
  void inspect_fields(document::Value value, std::string_view kind, uint32_t line = 1);
  // Counts an object whose kind is not read under `counted`, and remarks on the first of a kind
  // that is near to one that is read. `kind` and `api_version` are the object's or its list's.
  void count_unread(document::Value value, std::string_view kind, std::string_view api_version,
                    std::string counted, uint32_t line = 1);

 private:
  void check_fields(document::Value object, uint16_t type);
  void check_value(document::Value value, const document::Member& member, uint16_t type);
  void note_usage(document::Value holder);
  void add_empty_node(document::Value value, const std::string& name);
  uint16_t find(uint16_t type, uint16_t previous, std::string_view name);
  uint16_t look_up(uint16_t type, uint16_t previous, std::string_view name);
  void report(const document::Member& member, uint16_t type);

  struct Step {
    std::string_view name;
    bool array = false;
  };

  Remarks& remarks_;
  const ApiFields& api_;
  // By field: the field that followed it in the last object. Objects of one origin have their
  // fields in the same order, so finding the next field usually takes one comparison.
  std::vector<uint16_t> next_;
  std::vector<Step> path_;
  uint32_t line_ = 1;
  std::set<std::string, std::less<>> drained_, silent_, untainted_;  // nodes with a remark
};

}  // namespace berth::ingest
