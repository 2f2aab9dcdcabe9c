#include "engine/base/io/overwrite.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "engine/base/error.h"

namespace berth {
namespace {

struct FileId {
  dev_t device;
  ino_t inode;
  bool operator==(const FileId&) const = default;
};

// Nothing if the name leads to no regular file. `standard`: the descriptor that "-" stands for.
std::optional<FileId> regular_file(const std::string& name, int standard) {
  struct stat status = {};
  const int failed = name == "-" ? ::fstat(standard, &status) : ::stat(name.c_str(), &status);
  if (failed != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

}  // namespace

bool is_same_output(const std::string& a, const std::string& b) {
  const auto file = regular_file(a, STDOUT_FILENO);
  if (file) return file == regular_file(b, STDOUT_FILENO);
  std::error_code error;
  if (a.empty() || a == "-" || std::filesystem::exists(a, error)) return false;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(a, error), error);
  return !error && !b.empty() &&
         path == std::filesystem::weakly_canonical(std::filesystem::absolute(b, error), error);
}

void refuse_overwriting(const std::string& output, std::span<const std::string> inputs) {
  const auto file = regular_file(output, STDOUT_FILENO);
  if (!file) return;
  const bool is_input = std::ranges::any_of(
      inputs, [&](const std::string& input) { return regular_file(input, STDIN_FILENO) == file; });
  if (is_input)
    throw Error(Place{.file = output == "-" ? "standard output" : output, .field = {}},
                "would be written over, and it is an input: name another file");
}

}  // namespace berth
