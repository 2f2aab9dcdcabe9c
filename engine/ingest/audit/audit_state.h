#pragma once

// The objects of an audit log as they are so far, and the event of a watch for each request.
// Internal to this folder.

#include <rapidjson/document.h>

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ingest/audit/audit_log.h"

namespace berth::ingest {

// A resource of the API, and what its objects are.
struct AuditResource {
  std::string_view name, kind, version;
};

// One thread.
class AuditState {
 public:
  explicit AuditState(AuditCounts& counts) : counts_(counts) {}

  // The line of the watch that the event makes, with its line feed; empty: it changes nothing.
  std::string take(const rapidjson::Value& event);

 private:
  struct Request;

  std::string apply(const Request& request);
  std::string create(const Request& request);
  std::string bind(const Request& request);
  std::string change(const Request& request);
  std::string remove(const Request& request);
  std::string terminate(const Request& request);
  // The object as the log told it last; an object of JSON unless there is none.
  rapidjson::Document former(const Request& request) const;
  // Keeps the object and writes the line.
  std::string put(const Request& request, std::string_view type, rapidjson::Document object);
  std::string missing(uint64_t& count) {
    ++count;
    return {};
  }

  AuditCounts& counts_;
  int64_t begun_ = 0;  // nanoseconds since 1970; 0: not yet
  int64_t passed_ = 0;
  boost::unordered_flat_map<std::string, std::string> objects_;  // JSON, by resource and name
};

}  // namespace berth::ingest
