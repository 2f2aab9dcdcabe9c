#pragma once

// A record of a cluster: the events of a watch, or an API server's audit log.

#include <optional>
#include <string>

#include "engine/ingest/audit/audit_log.h"
#include "engine/ingest/watch/input_format.h"

namespace berth::cli {

// Opens the record as a watch. An audit log sets `audit`, which outlives the input. Throws Error if
// it cannot be read, and if it is neither.
ingest::Input open_record(const std::string& path, std::optional<ingest::AuditCounts>& audit);

// Throws Error for a folder, which is no record.
void check_record(const std::string& path);

}  // namespace berth::cli
