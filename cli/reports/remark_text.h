#pragma once

// Remarks about the input in words: for stderr and for a run's summary.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/ingest/objects/remarks.h"
#include "engine/output/summary.h"
#include "engine/played/controllers/controller_list.h"

namespace berth::cli {

// One line per reason, per unknown field and per kind with a typing error, and one for all kinds
// that are not read, without a line break. Empty if there is no remark.
// `played`: the controllers that act on what others only remark.
std::vector<std::string> remark_lines(
    const ingest::Remarks& remarks,
    const played::ControllerList& played = played::ControllerList::none());

// Prints these lines on stderr.
void print_remarks(const ingest::Remarks& remarks,
                   const played::ControllerList& played = played::ControllerList::none());

// Prints on stderr which budgets and objects of storage came with the pods and are in the cluster.
// Nothing if there are none.
void print_kept(const ingest::Remarks::Named& objects);

// Prints on stderr which pods run on nodes that are not there. Nothing if there are none.
// Pods of which something is measured, and which are not there.
void print_measured(const ingest::Remarks::Named& pods);
void print_pods_without_node(const ingest::Remarks::Named& pods);

// Removes the remarks about pods to schedule, for a file of the cluster, whose pods are not
// scheduled.
ingest::Remarks of_cluster(ingest::Remarks remarks);

void add_remarks(const ingest::Remarks& remarks, output::Summary& summary);

}  // namespace berth::cli
