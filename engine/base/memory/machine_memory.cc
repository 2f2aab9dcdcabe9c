#include "engine/base/memory/machine_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace berth {
namespace {

namespace fs = std::filesystem;

// The number at the beginning of the file. Nothing: there is no file, or no number ("max").
std::optional<uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  uint64_t number = 0;
  if (!(in >> number)) return std::nullopt;
  return number;
}

std::optional<uint64_t> total(const fs::path& proc) {
  std::ifstream in(proc / "meminfo");
  std::string word;
  uint64_t kilobytes = 0;
  while (in >> word)
    if (word == "MemTotal:" && in >> kilobytes) return kilobytes << 10;
  return std::nullopt;
}

// The least limit of the cgroup and of those above it. A container may see its own cgroup as the
// uppermost one, so the folders of the path may be absent.
void limit(std::optional<uint64_t>& memory, const fs::path& mount, fs::path group,
           const char* file) {
  for (group = group.relative_path();; group = group.parent_path()) {
    const std::optional<uint64_t> most = number_in(mount / group / file);
    if (most && (!memory || *most < *memory)) memory = most;
    if (group.empty()) return;
  }
}

bool has_memory(const std::string& controllers) {
  return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

}  // namespace

std::optional<uint64_t> usable_memory(const std::string& root) {
  const fs::path proc = fs::path(root) / "proc", groups = fs::path(root) / "sys/fs/cgroup";
  std::optional<uint64_t> memory = total(proc);
  std::ifstream in(proc / "self/cgroup");
  // HIERARCHY:CONTROLLERS:PATH; v2 has no controllers.
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) limit(memory, groups, path, "memory.max");
    if (has_memory(controllers)) limit(memory, groups / "memory", path, "memory.limit_in_bytes");
  }
  return memory;
}

}  // namespace berth
