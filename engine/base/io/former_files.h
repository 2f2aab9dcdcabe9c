#pragma once

// Removes outputs of an earlier run that a run which fails leaves behind: a reader would take them
// for those of this run.

#include <sys/stat.h>

#include <span>
#include <string>
#include <vector>

namespace berth {

// Looks at the files when it is made, and removes those that are still the same when it goes: whose
// inode, size and times of change are those of the beginning. Files that were written meanwhile
// stay. So it is made before the first thing that can fail, and after the outputs were compared
// with the inputs (overwrite.h).
//
// "-", names below /dev and /proc, and everything that is no regular file are left alone; so is a
// file that cannot be removed. A process that ends without destructors removes nothing.
class FormerFiles {
 public:
  // Empty paths are passed over.
  explicit FormerFiles(std::span<const std::string> paths);
  FormerFiles(const FormerFiles&) = delete;
  FormerFiles& operator=(const FormerFiles&) = delete;
  ~FormerFiles();

 private:
  struct Former {
    std::string path;  // absolute, without symbolic links
    struct stat status;
  };
  std::vector<Former> files_;
};

}  // namespace berth
