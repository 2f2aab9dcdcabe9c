#include "engine/document/path.h"

#include <algorithm>
#include <cctype>

namespace berth::document::internal {
namespace {

// True if the key can be written as ".key". Other keys, such as label keys, could be confused with
// a longer path, and are written in brackets.
bool is_field_name(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return c == '_' || c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
}

void append_key(std::string_view key, std::string& path) {
  if (!is_field_name(key)) {
    path += "[" + std::string(key) + "]";
  } else {
    if (!path.empty()) path += '.';
    path += key;
  }
}

// Appends one step to `path`. Returns the element or member that contains the cell; null if the
// cell is the key of a member.
const Cell* step(const Cell* container, const Cell* cell, std::string& path) {
  const Cell* child = container + 1;
  if (container->kind() == Kind::kArray) {
    size_t index = 0;
    for (; !child->contains(cell); child = child->next()) ++index;
    path += "[" + std::to_string(index) + "]";
    return child;
  }
  while (cell >= child[1].next()) child = child[1].next();
  append_key(child->view(), path);
  return cell == child ? nullptr : child + 1;
}

}  // namespace

std::string path_to(const Storage& storage, const Cell* cell) {
  std::string path = storage.origin.path;
  auto index = size_t(cell - storage.cells.data());
  auto behind = std::upper_bound(storage.root_cells.begin(), storage.root_cells.end(), index);
  const Cell* at = storage.cells.data() + *std::prev(behind);
  while (at != nullptr && at != cell) at = step(at, cell, path);
  return path;
}

}  // namespace berth::document::internal
