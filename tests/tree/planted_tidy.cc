// A moved string is read: tree.tidy_notices expects clang-tidy to say so.

#include <string>
#include <utility>

std::string planted_use_after_move(std::string text) {
  std::string taken = std::move(text);
  return taken + text;
}
