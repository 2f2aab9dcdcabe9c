#pragma once

// Protects against other users placing code into this process through the file system: a plugin,
// and every folder above it, must belong to root or to the user that runs Berth, and nobody else
// may have write permission.

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace berth::host {

// Both functions return the problem and the remedy as text; nothing if there is none.

// Checks the opened plugin file.
[[nodiscard]] std::optional<std::string> plugin_file_problem(const std::filesystem::path& path,
                                                             const struct stat& status);

// Checks a folder that holds plugins and all folders above it, with links resolved. A folder above
// may be writable for others if it is sticky, like /tmp, because there nobody can replace files of
// another user.
[[nodiscard]] std::optional<std::string> plugin_folder_problem(const std::filesystem::path& folder);

}  // namespace berth::host
