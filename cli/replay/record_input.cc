#include "cli/replay/record_input.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/ingest/objects/folder_files.h"

namespace berth::cli {
namespace {

constexpr size_t kLookedAt = 4096;

// The first bytes of the source, which gives them again.
std::string beginning_of(std::unique_ptr<ByteSource>& source) {
  std::vector<uint8_t> head(kLookedAt);
  size_t size = 0;
  const auto has_line = [&] {
    return std::find(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(size), '\n') !=
           head.begin() + static_cast<std::ptrdiff_t>(size);
  };
  while (size < head.size() && !has_line()) {
    const size_t more = source->read(std::span(head).subspan(size));
    if (more == 0) break;
    size += more;
  }
  head.resize(size);
  const std::string text(head.begin(), head.end());
  source = std::make_unique<ResumedSource>(std::move(head), std::move(source));
  return text;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Place{.file = path, .field = {}},
              why +
                  "expected a journal of berth run --record, the events of a watch as JSON lines, "
                  "or an audit log (audit.k8s.io) as JSON lines");
}

}  // namespace

void check_record(const std::string& path) {
  if (ingest::is_folder(path)) refuse(path, "is a folder: name one file: ");
}

ingest::Input open_record(const std::string& path, std::optional<ingest::AuditCounts>& audit) {
  ingest::Input input = ingest::open_input(path);
  if (input.format == ingest::InputFormat::kWatch) return input;
  if (input.format == ingest::InputFormat::kObjects &&
      ingest::begins_like_audit_log(beginning_of(input.source))) {
    audit.emplace();
    return {ingest::InputFormat::kWatch,
            ingest::watch_of_audit_log(std::move(input.source), *audit)};
  }
  refuse(path, "");
}

}  // namespace berth::cli
