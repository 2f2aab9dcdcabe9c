#pragma once

// JSON and YAML text as trees of values that know where in the text they stand.
//
// Two parsers fill one kind of tree, so that nothing behind this module asks which syntax a file
// had: JSON (also several documents behind each other, as in NDJSON) and YAML (also several
// documents, parted by `---`). Which one it is shows in the content, document by document.
//
// What a value is follows kubectl, which turns YAML to JSON before it decodes: see yaml.h for the
// rules of plain scalars. Numbers keep their text, because a quantity of 0.1 is not a double.
//
// A document that is malformed is reported with its place and left out; the documents beside it in
// the file stay, as far as the syntax shows where the next one begins.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace berth::document {

enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

// "null", "boolean", "number", "string", "array", "object".
std::string_view kind_name(Kind kind);

namespace internal {
struct Cell;
struct Storage;
class Builder;
class FileText;
}  // namespace internal

class Elements;
class Members;

// A light handle (two pointers) to a value in a Document, or to none: what `find` did not find is
// absent. Valid as long as a copy of its Document lives. Any number of threads may read.
class Value {
 public:
  Value() = default;  // absent

  bool present() const { return cell_ != nullptr; }

  // Requires: present(), as do all the questions below that do not say otherwise.
  Kind kind() const;
  bool is(Kind kind) const { return present() && this->kind() == kind; }  // false if absent

  // Requires: is(kBoolean).
  bool as_bool() const;
  // UTF-8, escapes resolved; may contain NUL. Requires: is(kString).
  std::string_view as_string() const;
  // A number in JSON's grammar, as it was written (of YAML: as Go prints what kubectl reads).
  // Requires: is(kNumber).
  std::string_view number_text() const;
  // Nothing unless this is a number written as an integer (1.0 and 1e3 are not, as for Go) in
  // range. Absent: nothing.
  std::optional<int64_t> as_int64() const;
  // Nothing unless this is a number in the range of a double. Absent: nothing.
  std::optional<double> as_double() const;

  // Elements or members; 0 for anything else and if absent.
  size_t size() const;
  // In the order of the text; empty unless this is an array. Absent: empty.
  Elements elements() const;
  // In the order of the text, duplicates of a key included; empty unless this is an object. Absent:
  // empty.
  Members members() const;
  // The member of that key, the last one if there are several (as Go's json has it); absent if
  // there is none, if this is no object or if it is absent. Costs a walk over the members.
  Value find(std::string_view key) const;

  // File, line and column of the first character; the field is left empty. Absent: an empty place.
  Place place() const;
  // The way here from the root of its document, such as items[3].metadata.labels[example.com/a]:
  // empty for a root and if absent. Costs a walk past all that stands before it; meant for errors.
  std::string path() const;

 private:
  friend class Document;
  friend class Elements;
  friend class Members;
  friend class internal::Builder;
  Value(const internal::Storage* storage, const internal::Cell* cell)
      : storage_(storage), cell_(cell) {}

  const internal::Storage* storage_ = nullptr;
  const internal::Cell* cell_ = nullptr;
};

class Elements {
 public:
  class Iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    Value operator*() const { return Value(storage_, cell_); }
    Iterator& operator++();
    Iterator operator++(int);
    bool operator==(const Iterator& other) const { return cell_ == other.cell_; }

   private:
    friend class Elements;
    friend class Value;
    const internal::Storage* storage_ = nullptr;
    const internal::Cell* cell_ = nullptr;
  };

  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  friend class Value;
  Iterator begin_;
  Iterator end_;
};

struct Member {
  std::string_view key;
  Value value;
  Value key_value;  // the key as a string value of its own: it has the key's place
};

class Members {
 public:
  class Iterator {
   public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    Member operator*() const;
    Iterator& operator++();
    Iterator operator++(int);
    bool operator==(const Iterator& other) const { return key_ == other.key_; }

   private:
    friend class Members;
    friend class Value;
    const internal::Storage* storage_ = nullptr;
    const internal::Cell* key_ = nullptr;
  };

  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  friend class Value;
  Iterator begin_;
  Iterator end_;
};

// What a text may hold; beyond it a document is malformed.
struct Limits {
  static constexpr uint64_t kMaxBytes = UINT32_MAX;  // places are 32-bit offsets

  uint32_t depth = 128;               // arrays and objects within each other
  uint64_t bytes = kMaxBytes;         // of the whole text; at most kMaxBytes
  uint64_t alias_values = 1'000'000;  // values that the aliases of one YAML document may stand for

  // YAML refuses a key that occurs twice in an object; JSON takes the last one, as Go and therefore
  // kubectl do, unless this is set.
  bool unique_keys = false;
};

// The documents of one file. Immutable; copies share the tree.
class Document {
 public:
  Document() = default;  // without roots

  // Parses a text. `file` is what places and errors call it. What is malformed is reported; a text
  // of nothing but blanks and comments has no roots and is no error.
  static Document parse(std::string_view text, std::string file, Diagnostics& diagnostics,
                        const Limits& limits = {});

  // The same for a file, or for standard input if the path is "-". Throws Error if it cannot be
  // read or is larger than the limit.
  static Document read(const std::string& path, Diagnostics& diagnostics,
                       const Limits& limits = {});

  // One value per document, in the order of the text; documents that are empty are left out.
  std::span<const Value> roots() const;

 private:
  Document(internal::FileText text, std::string file, Diagnostics& diagnostics,
           const Limits& limits);

  std::shared_ptr<const internal::Storage> storage_;
};

// The value as compact JSON: members in their order, strings escaped where JSON must, numbers as
// their text. Requires: value.present().
std::string to_json(Value value);
// The same, appended to a text.
void append_json(Value value, std::string& out);

// Appends the text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
// Characters that are not printable (engine/base/text/printable.h) are escaped even where JSON
// allows them raw, so the string can be shown on a terminal.
void append_json_string(std::string_view text, std::string& out);

}  // namespace berth::document
