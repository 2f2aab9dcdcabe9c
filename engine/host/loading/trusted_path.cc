#include "engine/host/loading/trusted_path.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

std::string octal(mode_t mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mode & 07777));
  return text.data();
}

// True if only root and the user are members of a group, like the private group that many systems
// give to each user (umask 002 makes its files group-writable). False if this cannot be determined.
bool private_group(gid_t group) {
  if (group == 0) return true;
  std::array<char, 16384> user_buffer{};
  std::array<char, 16384> group_buffer{};
  struct passwd user {};
  struct group entry {};
  struct passwd* user_found = nullptr;
  struct group* group_found = nullptr;
  if (getpwuid_r(geteuid(), &user, user_buffer.data(), user_buffer.size(), &user_found) != 0 ||
      getgrgid_r(group, &entry, group_buffer.data(), group_buffer.size(), &group_found) != 0 ||
      user_found == nullptr || group_found == nullptr) {
    return false;
  }
  const std::string name = user.pw_name;
  if (name != entry.gr_name || user.pw_gid != group) return false;
  for (char** member = entry.gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

std::optional<std::string> owner_problem(const std::filesystem::path& path,
                                         const struct stat& status) {
  if (status.st_uid == 0 || status.st_uid == geteuid()) return std::nullopt;
  return in_quotes(path.string()) + " belongs to user " + std::to_string(status.st_uid) +
         ", who could put code into this process; it must belong to root or to the user that runs "
         "Berth (chown it)";
}

std::optional<std::string> mode_problem(const std::filesystem::path& path,
                                        const struct stat& status) {
  const bool others = (status.st_mode & S_IWOTH) != 0;
  const bool group = (status.st_mode & S_IWGRP) != 0 && !private_group(status.st_gid);
  if (!others && !group) return std::nullopt;
  return in_quotes(path.string()) + " has mode " + octal(status.st_mode) +
         ", so that others could put code into this process; only its owner may write to it "
         "(chmod " +
         (others ? "go-w" : "g-w") + " it)";
}

}  // namespace

std::optional<std::string> plugin_file_problem(const std::filesystem::path& path,
                                               const struct stat& status) {
  auto problem = owner_problem(path, status);
  return problem ? problem : mode_problem(path, status);
}

std::optional<std::string> plugin_folder_problem(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(folder, error);
  if (error) return "cannot resolve " + in_quotes(folder.string()) + ": " + error.message();
  for (std::filesystem::path path = real;; path = path.parent_path()) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
      return "cannot read the status of " + in_quotes(path.string()) + ": " +
             std::generic_category().message(errno);
    }
    auto problem = owner_problem(path, status);
    const bool sticky = (status.st_mode & S_ISVTX) != 0 && path != real;
    if (!problem && !sticky) problem = mode_problem(path, status);
    if (problem) return problem;
    if (path == path.root_path()) return std::nullopt;
  }
}

}  // namespace berth::host
