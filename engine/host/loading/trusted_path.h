#pragma once

// Who could put code into this process by way of the file system? A plugin, and every folder above
// it, must belong to root or to the user that runs Berth, and nobody else may be able to write to
// it.

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace berth::host {

// Both return what is wrong and what to do about it, or an empty text.

// Of the opened plugin file.
std::string plugin_file_problem(const std::filesystem::path& path, const struct stat& status);

// Of a folder that holds plugins and of all above it, links resolved. Above it, a folder that
// others may write to is fine if it is sticky, as /tmp is: nobody can replace there what belongs to
// another.
std::string plugin_folder_problem(const std::filesystem::path& folder);

}  // namespace berth::host
