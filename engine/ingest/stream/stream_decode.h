#pragma once

// The second pass over a payload: objects of the schema to plain values, with everything refused
// that the schema cannot forbid: names that are missing, text that is not UTF-8, quantities that
// are none or negative, maps out of order, numbers and enumerators out of range.

#include <flatbuffers/flatbuffers.h>

#include <optional>
#include <string>
#include <vector>

#include "berth/schema/objects_generated.h"
#include "engine/ingest/stream/stream.h"
#include "engine/ingest/stream/stream_check.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

// Decodes one object after the other. The first thing wrong with an object is kept as its fault;
// the value that was returned then means nothing. Requires of all arguments: the payload passed
// check_payload().
class ObjectDecoder {
 public:
  // Null is reported as missing; `what` says where the object lies: "templates", 3.
  void begin(const char* what, size_t index);

  model::PodSpec pod_spec(const schema::PodSpec* in);
  model::Node node(const schema::Node* in);
  model::Namespace namespace_object(const schema::Namespace* in);
  model::SelectorOwner selector_owner(const schema::SelectorOwner* in);
  model::SelectorOwnerKind selector_owner_kind(schema::SelectorOwnerKind in, const char* field);
  model::Controller controller(const schema::Controller& in);
  // Without the spec, and with what the template says left out.
  TemplatePod pod(const schema::Pod* in);

  // Text that may be absent (then empty), and a name that may not.
  std::string text(const flatbuffers::String* in, const char* field);
  std::string name(const flatbuffers::String* in, const char* field);

  // Notes a fault at the place in hand, or at a field of it.
  void refuse(std::string message);
  void refuse(const char* field, std::string message);

  bool good() const { return !fault_; }
  const StreamFault& fault() const { return *fault_; }

 private:
  struct Step {
    const char* field;
    size_t index;
  };
  class Scope;
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

  std::vector<Step> path_;
  std::optional<StreamFault> fault_;
};

}  // namespace berth::ingest
