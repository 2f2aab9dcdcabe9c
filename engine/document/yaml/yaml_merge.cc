#include "engine/document/yaml/yaml_merge.h"

#include <set>
#include <string_view>
#include <vector>

namespace berth::document::internal {
namespace {

bool is_merge(const Cell* key) { return key->text == kMergeKeyText; }

class Merger {
 public:
  explicit Merger(Builder& builder) : builder_(builder) {}

  void copy(const Cell* cell);

 private:
  struct Members {
    std::set<std::string_view> taken;
    size_t count = 0;
  };

  void copy_members(const Cell* object, Members& members);
  void copy_merged(const Cell* value, Members& members);

  Builder& builder_;
};

// Recursion is as deep as the document, which Limits::depth bounds.
void Merger::copy(const Cell* cell) {
  if (!cell->container()) return builder_.append(*cell);
  size_t self = builder_.open(cell->offset, cell->kind());
  if (cell->kind() == Kind::kObject) {
    Members members;
    copy_members(cell, members);
    return builder_.close(self, members.count);
  }
  for (const Cell* element = cell + 1; element != cell->next(); element = element->next()) {
    copy(element);
  }
  builder_.close(self, cell->size());
}

// Copies an object's own members before the merged ones, so that its own take precedence.
void Merger::copy_members(const Cell* object, Members& members) {
  for (const Cell* key = object + 1; key != object->next(); key = (key + 1)->next()) {
    if (is_merge(key) || !members.taken.insert(key->view()).second) continue;
    builder_.append(*key);
    copy(key + 1);
    ++members.count;
  }
  for (const Cell* key = object + 1; key != object->next(); key = (key + 1)->next()) {
    if (is_merge(key)) copy_merged(key + 1, members);
  }
}

void Merger::copy_merged(const Cell* value, Members& members) {
  if (value->kind() == Kind::kObject) return copy_members(value, members);
  if (value->kind() != Kind::kArray) {
    throw Malformed{value->offset, "a merge key (<<) must have an object as its value"};
  }
  for (const Cell* object = value + 1; object != value->next(); object = object->next()) {
    if (object->kind() != Kind::kObject) {
      throw Malformed{object->offset, "a merge key (<<) must have an object as its value"};
    }
    copy_members(object, members);
  }
}

}  // namespace

void merge_yaml(Builder& builder, size_t root) {
  const std::vector<Cell> cells = builder.take(root);
  Merger(builder).copy(cells.data());
}

}  // namespace berth::document::internal
