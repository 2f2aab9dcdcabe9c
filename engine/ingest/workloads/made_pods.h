#pragma once

// The pods that the controllers of workloads make of a template.
//
//   model::Pod pod = replica_pod(workload, suffixed_name(workload, ordinal));

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"
#include "engine/model/objects/workload.h"

namespace berth::ingest {

// The first number of the suffixes of a controller's pods.
uint32_t name_seed(const model::Controller& controller, std::string_view namespace_name);
// The text before the suffix of a pod of an Indexed Job: "JOB-INDEX-". The job's name is cut, not
// the index.
std::string indexed_base(const std::string& job, uint64_t index);

// Tolerations that a DaemonSet's controller gives its pods.
void tolerate_as_daemon(bool host_network, std::vector<model::Toleration>& tolerations);
// The required affinity of the template chose the node already; the node's name replaces it.
void bind_to_node(const std::string& node, model::Affinity& affinity);
// Labels in which the pods of a workload differ. `merges`: and what follows from them in the
// selectors that name them as matchLabelKeys.
void set_own_labels(std::initializer_list<std::pair<std::string_view, std::string_view>> labels,
                    bool merges, model::Pod& pod);
// Labels and volumes of a StatefulSet's pod, which has its name. The volumes come before those of
// the template, as the controller puts them.
void make_stateful(std::string_view ordinal,
                   const std::vector<model::PersistentVolumeClaim>& claims, bool merges,
                   model::Pod& pod);
// The claim of a StatefulSet's pod from its template.
model::PersistentVolumeClaim claim_of(const model::PersistentVolumeClaim& from,
                                      const model::Pod& pod);

// The pods of a workload that is played, beyond those that were made when it was read.
//
// The name of a pod with a suffix: `ordinal` makes it, in an Indexed Job also the index.
std::string suffixed_name(const model::Workload& workload, uint64_t ordinal, uint64_t index = 0);
// Precondition: a StatefulSet.
model::Pod stateful_pod(const model::Workload& workload, int64_t ordinal);
// Precondition: a DaemonSet. `node`: its name.
model::Pod daemon_pod(const model::Workload& workload, std::string name, const std::string& node);
// Precondition: an Indexed Job.
model::Pod indexed_pod(const model::Workload& workload, std::string name, uint64_t index);
// Of any other workload.
model::Pod replica_pod(const model::Workload& workload, std::string name);

}  // namespace berth::ingest
