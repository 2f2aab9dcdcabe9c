#include "cli/diff/spooled.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "engine/base/error.h"
#include "engine/ingest/watch/input_format.h"

namespace berth::cli {
namespace {

// Folders, and names at which there is nothing, are left to the run's own messages.
bool read_once(const std::string& path) {
  if (path.empty()) return false;
  if (path == "-" || path.starts_with("unix:")) return true;
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  return std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status);
}

void copy(ByteSource& source, ByteSink& sink) {
  std::vector<uint8_t> piece(size_t{1} << 20);
  while (const size_t bytes = source.read(piece)) sink.write(std::span(piece).first(bytes));
}

}  // namespace

void SpooledInputs::spool_all(RunOptions& options) {
  for (std::string& path : options.dumps) spool(path);
  for (std::string& path : options.cluster) spool(path);
  spool(options.pods);
}

void SpooledInputs::spool(std::string& path) {
  if (!read_once(path)) return;
  const int number = memfd_create("berth-input", MFD_CLOEXEC);
  if (number < 0)
    throw Error(Place{.file = path, .field = {}},
                "cannot be kept in memory: " + std::generic_category().message(errno));
  const Descriptor& descriptor = kept_.emplace_back(number);
  const std::string made = fmt::format("/proc/self/fd/{}", descriptor.number());
  ingest::Input input = ingest::open_input(path);
  FileSink sink(made);
  copy(*input.source, sink);
  names_.push_back({made, path});
  path = made;
}

}  // namespace berth::cli
