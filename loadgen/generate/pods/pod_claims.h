#pragma once

// The claims of a generated load, and the objects of storage that they need.
//
// Whether a pod has claims, of which kind and size they are, and where a bound volume is, are
// functions of the seed and of names, so that the objects are made again to be deleted.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/objects/volume_objects.h"
#include "loadgen/generate/cluster/nodes.h"
#include "loadgen/play/load.h"
#include "loadgen/play/step_pods.h"
#include "loadgen/workload/workload_spec.h"

namespace berth::loadgen {

class PodClaims {
 public:
  PodClaims(const WorkloadSpec& spec, uint64_t seed) : spec_(spec), seed_(seed) {}  // outlives this

  // True if pods of the template have claims. `name` is that of the pod, or of the Job or owner
  // whose pods are equal.
  bool has(uint32_t pod_template, std::string_view name) const;
  // "data-0-POD".
  static std::string name(std::string_view pod, uint32_t number);
  // A pod's claims, each followed by its volume if it is bound from the start. `node`: that of a
  // pod that runs from the start; all its claims are bound and their volumes reach the node.
  // Requires: the pod has claims.
  std::vector<model::VolumeObject> make(uint32_t pod_template, const std::string& namespace_name,
                                        std::string_view pod,
                                        std::optional<uint64_t> node = {}) const;

  // Gives the pod that was added last to `pods` its claims. Adds these, with their volumes, to the
  // step's events, unless they `exist`: they stayed from an earlier pod of that name. Requires, as
  // remove() and place(): the pod has claims.
  void add(uint32_t pod_template, const std::string& namespace_name, std::string_view pod,
           bool exist, StepPods& pods, LoadStep& step) const;
  // Deletes what make() made for an arriving pod.
  void remove(uint32_t pod_template, const std::string& namespace_name, std::string_view pod,
              LoadStep& step) const;
  // Gives a pod that runs from the start its claims, and adds these to the step's cluster.
  void place(uint32_t pod_template, uint64_t node, ingest::TemplatePod& pod, LoadStep& step) const;

  // The driver and the classes. Requires, as csi_node(): the workload has storage.
  std::vector<model::VolumeObject> classes() const;
  model::CsiNode csi_node(const std::string& node) const;

 private:
  model::PersistentVolume volume(const model::PersistentVolumeClaim& claim, uint64_t place) const;

  const WorkloadSpec& spec_;
  uint64_t seed_;
};

}  // namespace berth::loadgen
