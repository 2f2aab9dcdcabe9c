#pragma once

// An API server's audit log (audit.k8s.io/v1, JSON lines) as the events of a watch, for
// WatchStream: what was created, changed, bound and deleted, each with its time since the first
// event of the log.
//
// Level RequestResponse has whole objects. Level Request has what clients sent: bindings and
// patches change the objects that the log told of before. Level Metadata tells no object. A request
// that failed, one that reads, and an event of another stage than ResponseComplete change nothing.

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/io/io.h"

namespace berth::ingest {

// The counts of the events by their fate. Of a resource that scheduling does not read, none is
// counted but as an event.
struct AuditCounts {
  uint64_t events = 0;         // of any stage, level and resource
  uint64_t taken = 0;          // that changed an object
  uint64_t metadata_only = 0;  // of level Metadata, or without the object that it is about
  uint64_t unknown = 0;        // about objects that the log did not tell of before
  uint64_t collections = 0;    // deletions of many objects, which are not named
  uint64_t malformed = 0;      // lines that are no audit event
};

// True if a text with this beginning is an audit log: its first line names audit.k8s.io.
bool begins_like_audit_log(std::string_view beginning);

// `counts` outlives the source, and may be read when that has ended.
std::unique_ptr<ByteSource> watch_of_audit_log(std::unique_ptr<ByteSource> log,
                                               AuditCounts& counts);

}  // namespace berth::ingest
