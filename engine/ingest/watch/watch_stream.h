#pragma once

// The events of a watch, one JSON object a line as an API server sends them, turned into a stream
// of frames while they come:
//
//   {"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod",...}}
//
// ADDED, MODIFIED and DELETED of the kinds that objects.h reads. Objects that are added before the
// first pod waits, or anything else happens, are the cluster; pods that wait and come between two
// other lines arrive together. BOOKMARK lines part those that arrive together, and mean nothing
// else. A line with something wrong is reported with its number and left out.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/io/io.h"
#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"
#include "engine/ingest/stream/stream_writer.h"

namespace berth::ingest {

// Whether a text that begins like this is one. The first 64 bytes are enough, or all up to the
// first newline.
bool begins_like_watch(std::string_view beginning);

class WatchStream final : public ByteSource {
 public:
  static constexpr size_t kMaxLine = size_t{4} << 20;

  // The source and the diagnostics are kept by the caller. `strict`: the first fault is thrown.
  WatchStream(ByteSource& source, Diagnostics& diagnostics, bool strict);

  // Frames. Throws Error if reading fails.
  size_t read(std::span<uint8_t> out) override;
  const std::string& name() const override { return source_.name(); }

  uint64_t rejected_pods() const { return rejected_pods_; }

 private:
  enum class Type : uint8_t { kAdded, kModified, kDeleted };

  bool read_line(std::string& line);
  bool fill();
  void take_line(const std::string& line);
  void take(Type type, document::Value object, Diagnostics& found);
  void take_pod(Type type, document::Value object, Diagnostics& found);
  void take_node(Type type, document::Value object, Diagnostics& found);
  void take_namespace(Type type, document::Value object, Diagnostics& found);
  void take_selector_owner(Type type, model::SelectorOwnerKind kind, document::Value object,
                           Diagnostics& found);
  void add_waiting(model::Pod pod);
  void happen(Event event);
  void report(const Error& error);
  TemplatePod shared(model::Pod pod) const;

  ByteSource& source_;
  Diagnostics& diagnostics_;
  bool strict_;
  MemorySink frames_;
  StreamWriter stream_;
  size_t given_ = 0;  // of frames_
  std::vector<uint8_t> buffer_;
  size_t at_ = 0;
  uint32_t line_ = 0;
  bool scene_ = true;  // so far all is the cluster
  bool ended_ = false;
  uint64_t rejected_pods_ = 0;
  std::set<std::string> unread_kinds_;
};

}  // namespace berth::ingest
