#pragma once

// Remarks about the input in words: for stderr and for a run's summary.

#include <string>
#include <vector>

#include "engine/ingest/objects/remarks.h"
#include "engine/output/summary.h"

namespace berth::cli {

// One line per reason and per unknown field, without a line break. Empty if there is no remark.
std::vector<std::string> remark_lines(const ingest::Remarks& remarks);

// The same on stderr.
void print_remarks(const ingest::Remarks& remarks);

// The remarks about a file of the cluster without those about pods to schedule: its pods are not
// scheduled.
ingest::Remarks of_cluster(ingest::Remarks remarks);

void add_remarks(const ingest::Remarks& remarks, output::Summary& summary);

}  // namespace berth::cli
