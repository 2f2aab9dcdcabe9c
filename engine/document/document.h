#pragma once

// Parses JSON and YAML text into trees of values with positions.
//
// Two parsers fill one kind of tree, so that the other modules need not know the syntax of a file:
// JSON (also several documents in sequence, as in NDJSON) and YAML (also several documents,
// separated by `---`). The syntax is detected from the content of each document.
//
// The kind of a YAML scalar follows kubectl, which converts YAML to JSON before it decodes: see
// yaml_scalar.h. Numbers keep their text, because a quantity of 0.1 is not a double.
//
// A document that is malformed is reported with its place and left out. Of a malformed list (an
// array, or an object with an array "items") the items before the fault stay. The documents beside
// it in the file stay too, as far as the syntax shows where the next one begins.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/document/cell.h"

namespace berth::document {

// "null", "boolean", "number", "string", "array" or "object".
std::string_view kind_name(Kind kind);

namespace internal {
struct Storage;
class Builder;
class FileText;
}  // namespace internal

class Elements;
class Members;

struct Position {
  uint32_t line = 0;    // from 1; 0: unknown
  uint32_t column = 0;  // from 1, in bytes; 0: unknown

  bool operator==(const Position&) const = default;
};

// A handle (two pointers) to a value of a Document, or to an absent value. Valid as long as any
// copy of the Document lives. Thread-safe for reading.
class Value {
 public:
  Value() = default;  // an absent value

  bool present() const { return cell_ != nullptr; }

  // Requires present(), like every function below that does not mention absent values.
  Kind kind() const {
    BERTH_ASSERT(present());
    return cell_->kind();
  }
  bool is(Kind kind) const { return present() && cell_->kind() == kind; }  // false if absent
  bool set() const { return present() && !is(Kind::kNull); }  // null means "not set" in Kubernetes

  // Requires: is(kBoolean).
  bool as_bool() const;
  // UTF-8 with escapes resolved; may contain NUL. Requires is(kString).
  std::string_view as_string() const {
    BERTH_ASSERT(is(Kind::kString));
    return cell_->view();
  }
  // The same, but empty if this is absent or no string.
  std::string_view text() const { return is(Kind::kString) ? cell_->view() : std::string_view(); }
  // A number in JSON's grammar, as written (for YAML, as Go prints the value that kubectl reads).
  // Requires is(kNumber).
  std::string_view number_text() const;
  // The value of a number written as an integer (like Go, not 1.0 or 1e3) that fits; otherwise
  // nothing. Absent: nothing.
  std::optional<int64_t> as_int64() const;
  // The value of a number within the range of a double; otherwise nothing. Absent: nothing.
  std::optional<double> as_double() const;

  // True if this is the root of a malformed document that was kept up to the fault. It is a list
  // then: an array, or an object with an array "items". Absent: false.
  bool cut_short() const;

  // Elements or members; 0 for anything else and if absent.
  size_t size() const;
  // The elements of an array in text order; empty for any other value. Absent: empty.
  Elements elements() const;
  // The members of an object in text order, including duplicate keys; empty for any other value.
  // Absent: empty.
  Members members() const;
  // The member with that key, the last one if there are several (like Go's json package). Absent if
  // there is none, or if this is not an object or absent. Linear in the number of members.
  Value find(std::string_view key) const;

  // File, line and column of the value's first character; Place::field is empty. Absent: an empty
  // place.
  Place place() const;
  // The same without the file. Absent: unknown.
  Position position() const;
  // The file that errors name, valid as long as the value. Absent: empty.
  const std::string& file() const;
  // The field path from the root of the document, such as items[3].metadata.labels[example.com/a].
  // Empty for a root and if absent. Linear in the size of the document before the value; use it for
  // errors.
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

// The elements of an array, in text order. Valid as long as the Value is.
class Elements {
 public:
  class Iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    Value operator*() const { return Value(storage_, cell_); }
    Iterator& operator++() {
      cell_ = cell_->next();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
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

// One member of an object. Views and values are valid as long as the document.
struct Member {
  std::string_view key;  // UTF-8 with escapes resolved
  Value value;
  // The key as a string value, with the key's place.
  Value key_value;
};

// The members of an object, in text order. Valid as long as the Value is.
class Members {
 public:
  class Iterator {
   public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    Member operator*() const {
      return {key_->view(), Value(storage_, key_ + 1), Value(storage_, key_)};
    }
    Iterator& operator++() {
      key_ = (key_ + 1)->next();
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
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

inline Elements Value::elements() const {
  Elements elements;
  if (!is(Kind::kArray)) return elements;
  elements.begin_.storage_ = elements.end_.storage_ = storage_;
  elements.begin_.cell_ = cell_ + 1;
  elements.end_.cell_ = cell_->next();
  return elements;
}

inline Members Value::members() const {
  Members members;
  if (!is(Kind::kObject)) return members;
  members.begin_.storage_ = members.end_.storage_ = storage_;
  members.begin_.key_ = cell_ + 1;
  members.end_.key_ = cell_->next();
  return members;
}

// Limits of a text. A document that exceeds one is malformed.
struct Limits {
  static constexpr uint64_t kMaxBytes = UINT32_MAX;  // places are 32-bit offsets

  uint32_t depth = 128;        // nesting of arrays and objects
  uint64_t bytes = kMaxBytes;  // of the whole text; at most kMaxBytes
  // Number of values that the aliases of one YAML document may expand to.
  uint64_t alias_values = 1'000'000;

  // If set, a key that occurs twice in a JSON object is an error. Otherwise the last one counts, as
  // for Go and therefore kubectl. In YAML it makes the document malformed unless repeated_keys is
  // set.
  bool unique_keys = false;
  // If set, a YAML document with such a key is read, unless it also merges objects (<<), and
  // Document::repeats_keys() is true: the reader of its objects reports them.
  bool repeated_keys = false;

  // If set, the text is JSON; YAML is malformed then.
  bool json_only = false;
};

// The documents of one file. Immutable; copies share the tree. Thread-safe for reading.
class Document {
 public:
  Document() = default;  // without documents

  // Parses a text. `file` is the name used in places and errors. Malformed documents are reported
  // to `diagnostics` and left out. A text of only blanks and comments has no documents and is not
  // an error.
  static Document parse(std::string_view text, std::string file, Diagnostics& diagnostics,
                        const Limits& limits = {});

  // Parses a file, or standard input if the path is "-". Throws Error if it cannot be read or
  // exceeds limits.bytes.
  static Document read(const std::string& path, Diagnostics& diagnostics,
                       const Limits& limits = {});

  // The root value of each document in text order. Empty documents are left out.
  std::span<const Value> roots() const;
  // True if an object of a YAML document has a key twice. See Limits::repeated_keys.
  bool repeats_keys() const;

 private:
  Document(internal::FileText text, std::string file, Diagnostics& diagnostics,
           const Limits& limits);

  std::shared_ptr<const internal::Storage> storage_;
};

// Formats the value as compact JSON: members in order, strings escaped only where JSON requires it,
// numbers as their text. Requires value.present().
std::string to_json(Value value);
// Appends the JSON text of `value` to `out`. Requires value.present().
void append_json(Value value, std::string& out);

// Appends the text as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
// Characters that are not printable (engine/base/text/printable.h) are escaped even where JSON
// allows them raw, so the string can be shown on a terminal.
void append_json_string(std::string_view text, std::string& out);
// The same as a text of its own.
std::string quoted(std::string_view text);

}  // namespace berth::document
