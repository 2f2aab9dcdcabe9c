#pragma once

// The second pass over a payload: converts objects of the schema to plain values. Rejects values
// that the schema cannot exclude: missing names, text that is not UTF-8, invalid or negative
// quantities, maps out of order, numbers and enumerators out of range.

#include <flatbuffers/flatbuffers.h>

#include <optional>
#include <string>
#include <vector>

#include "berth/schema/objects_generated.h"
#include "engine/base/error.h"
#include "engine/ingest/stream/read/stream_check.h"
#include "engine/ingest/stream/stream.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Decodes one object after the other. The first fault of an object is kept; the returned value is
// then meaningless. Requires, for all arguments: the payload passed check_payload().
class ObjectDecoder {
 public:
  // Starts a new object and clears the fault. `what` and `index` are its place: "templates", 3. The
  // decoding functions report a null object as missing.
  void begin(const char* what, size_t index);

  // Decode an object at the current place. Check good() before using the result.
  model::PodSpec pod_spec(const schema::PodSpec* in);
  model::Node node(const schema::Node* in);
  model::Namespace namespace_object(const schema::Namespace* in);
  model::SelectorOwner selector_owner(const schema::SelectorOwner* in);
  model::SelectorOwnerKind selector_owner_kind(schema::SelectorOwnerKind in, const char* field);
  model::DisruptionBudget disruption_budget(const schema::DisruptionBudget* in);
  std::optional<model::PodAmount> pod_amount(const schema::PodAmount* in, const char* field);
  // An object of storage, a PodGroup or an Eviction, as JSON.
  model::Object storage_object(const flatbuffers::String* in);
  model::Controller controller(const schema::Controller& in);
  // Everything except the spec and the parts that come from the template.
  TemplatePod pod(const schema::Pod* in);

  // text() returns an optional text, empty if absent; name() reports an absent one.
  std::string text(const flatbuffers::String* in, const char* field);
  std::string name(const flatbuffers::String* in, const char* field);

  // Reports a name that is missing or too long.
  void check_name(const std::string& name, const char* field);

  // Records a fault at the current place, or at one of its fields.
  void refuse(std::string message);
  void refuse(const char* field, std::string message);

  bool good() const { return !fault_; }                 // no fault since begin()
  const StreamFault& fault() const { return *fault_; }  // requires: !good()

 private:
  struct Step {
    const char* field;
    size_t index;
  };
  static constexpr size_t kNoIndex = SIZE_MAX;
  // Adds a step to the current place during its lifetime.
  class Scope {
   public:
    Scope(ObjectDecoder& decoder, const char* field, size_t index = kNoIndex) : decoder_(decoder) {
      decoder_.path_.push_back({field, index});
    }
    ~Scope() { decoder_.path_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ObjectDecoder& decoder_;
  };
  template <typename T>
  using Tables = flatbuffers::Vector<flatbuffers::Offset<T>>;
  using Texts = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

  template <typename Out, typename In>
  std::vector<Out> list(const Tables<In>* in, const char* field,
                        Out (ObjectDecoder::*decode)(const In&));
  template <typename Out, typename In>
  std::optional<Out> optional(const In* in, const char* field,
                              Out (ObjectDecoder::*decode)(const In&));
  std::vector<std::string> texts(const Texts* in, const char* field);
  std::vector<std::string> names(const Texts* in, const char* field);
  std::vector<model::PodVolume> volumes(const Texts* in);
  // Keeps the first error about a text of JSON as the fault.
  void refuse_json(const Diagnostics& found);
  // Reads one object of JSON and calls `read(Value, Diagnostics&)`, unless there is a fault.
  template <typename Read>
  void json(const flatbuffers::String& in, Read read);
  model::StringMap map(const Tables<schema::Entry>* in, const char* field);
  model::ResourceList resources(const Tables<schema::Resource>* in, const char* field);
  model::Quantity quantity(const flatbuffers::String* in);

  model::Requirement requirement(const schema::Requirement& in);
  model::NodeSelectorTerm selector_term(const schema::NodeSelectorTerm& in);
  model::NodeSelector node_selector(const schema::NodeSelector& in);
  model::PreferredSchedulingTerm preferred_term(const schema::PreferredSchedulingTerm& in);
  model::LabelSelector label_selector(const schema::LabelSelector& in);
  model::PodAffinityTerm affinity_term(const schema::PodAffinityTerm& in);
  model::WeightedPodAffinityTerm weighted_term(const schema::WeightedPodAffinityTerm& in);
  model::PodAffinity pod_affinity(const schema::PodAffinity& in);
  model::Affinity affinity(const schema::Affinity& in);
  model::TopologySpreadConstraint spread(const schema::TopologySpreadConstraint& in);
  model::Toleration toleration(const schema::Toleration& in);
  model::ContainerPort port(const schema::ContainerPort& in);
  model::Container container(const schema::Container& in);
  model::ContainerStatus container_status(const schema::ContainerStatus& in);
  model::Taint taint(const schema::Taint& in);
  model::NodeImage image(const schema::NodeImage& in);
  model::NodeCondition node_condition(const schema::NodeCondition& in);

  std::string path_text() const;

  std::vector<Step> path_;
  std::optional<StreamFault> fault_;
};

}  // namespace berth::ingest
