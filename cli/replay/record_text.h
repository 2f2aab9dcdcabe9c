#pragma once

// The result of following a record, as text for people and as JSON for programs.

#include <optional>
#include <string>

#include "cli/replay/record_follow.h"
#include "engine/ingest/audit/audit_log.h"

namespace berth::cli {

struct FollowedRecord {
  std::string path;
  RecordReplay replay;
  std::optional<ingest::AuditCounts> audit{};  // of an audit log
};

// `most`: pods that end differently, of those that are shown.
std::string to_text(const FollowedRecord& record, size_t most);
std::string to_json(const FollowedRecord& record);

}  // namespace berth::cli
