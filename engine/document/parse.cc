#include "engine/document/parse.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/document/foreign_text.h"
#include "engine/document/json/json.h"
#include "engine/document/split.h"
#include "engine/document/utf8.h"
#include "engine/document/yaml/yaml.h"

namespace berth::document::internal {
namespace {

// Lower bound for printed objects, to reserve cells. Reserves only address space: pages are
// committed when they are written.
constexpr size_t kBytesPerCell = 16;

// The first line start at or behind `from` with a brace or bracket. There the next document may
// begin if a file of JSON documents has a malformed one.
uint32_t next_json_start(std::string_view text, size_t from, uint32_t end) {
  for (;;) {
    size_t line_break = text.find('\n', from);
    if (line_break >= end || line_break + 1 >= end) return end;  // npos too
    from = line_break + 1;
    if (text[from] == '{' || text[from] == '[') return uint32_t(from);
  }
}

// True if a part is meant as JSON. YAML may also begin with a brace or bracket ({a: b}); the first
// character inside decides. Treating malformed JSON as YAML would be wrong: YAML accepts many texts
// with a missing comma, with another meaning.
bool looks_like_json(std::string_view text) {
  if (text[0] != '{' && text[0] != '[') return false;
  size_t first = text.find_first_not_of(" \t\r\n{[");
  if (first == text.npos) return true;
  text.remove_prefix(first);
  for (std::string_view word : {"true", "false", "null"}) {
    if (text.starts_with(word)) return true;
  }
  return std::string_view("\"-0123456789}],:").find(text[0]) != text.npos;
}

// The line, from 1, of the first action of a Go template, {{ ... }}, that stands outside of quotes
// and comments in these lines; 0: there is none. Helm charts are files of such templates.
uint32_t template_action(std::string_view text, uint32_t line) {
  for (; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    const size_t action = one.find("{{");
    if (one.find("}}", action) != one.npos &&
        one.substr(0, action).find_first_of("\"'#`") == one.npos)
      return line;
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return 0;
}

class FileParser {
 public:
  FileParser(Storage& storage, Diagnostics& diagnostics, const Limits& limits)
      : text_(storage.text), builder_(storage, limits), diagnostics_(diagnostics) {}

  void run();

 private:
  bool parse_plain_json();
  void parse_part(Part part);
  void parse_yaml_part(Part part);
  void parse_whole_json();
  void parse_json_part(uint32_t begin, uint32_t end);
  void check_utf8(uint32_t begin, uint32_t end) const;
  void give_up(size_t root, const Malformed& malformed, const char* syntax);
  // True after a part was reported as a template that is not rendered: an action stands before its
  // fault or on the same line.
  bool give_up_template(size_t root, Part part, const Malformed& malformed);

  const std::string_view text_;
  Builder builder_;
  Diagnostics& diagnostics_;
  AliasBudget aliases_;
  bool valid_utf8_ = true;
  std::vector<size_t> roots_;
};

// Reports a malformed document and takes back its cells, but for the good beginning of a list.
void FileParser::give_up(size_t root, const Malformed& malformed, const char* syntax) {
  std::string message = syntax + (": " + malformed.message);
  if (const size_t items = builder_.cut_list(root); items != 0) {
    roots_.push_back(root);
    message += "; of this list " + std::to_string(items) +
               (items == 1 ? " item is" : " items are") + " read, those before this place";
  } else {
    builder_.rewind(root);
  }
  diagnostics_.report(Error(builder_.storage().place(malformed.offset), std::move(message)));
}

bool FileParser::give_up_template(size_t root, Part part, const Malformed& malformed) {
  const size_t end = std::min<size_t>(text_.find('\n', malformed.offset), part.end);
  const uint32_t line = template_action(text_.substr(part.begin, end - part.begin),
                                        builder_.storage().position(part.begin).line);
  if (line == 0) return false;
  builder_.rewind(root);
  diagnostics_.report(Error(builder_.storage().place(malformed.offset),
                            "a template that is not rendered: line " + std::to_string(line) +
                                " has an action, {{ ... }}; render it first, with helm template or "
                                "what else made it"));
  return true;
}

void FileParser::run() {
  if (std::optional<std::string> foreign = foreign_text(text_)) {
    Place place;
    place.file = builder_.storage().file;
    return diagnostics_.report(Error(std::move(place), std::move(*foreign)));
  }
  builder_.expect(text_.size() / kBytesPerCell);
  valid_utf8_ = valid_utf8(text_);
  if (!parse_plain_json()) {
    if (builder_.limits().json_only) {
      parse_whole_json();
    } else {
      for (Part part : split_documents(text_)) parse_part(part);
    }
  }
  builder_.finish(std::move(roots_));
}

// The fast path for a file of well-formed JSON documents: no search for separator lines. Returns
// false, without effect, for any other file.
bool FileParser::parse_plain_json() {
  const uint32_t end = uint32_t(text_.size());
  uint32_t at = skip_json_blanks(builder_.storage(), 0, end);
  if (!valid_utf8_ || at == end) return false;
  try {
    while (at < end && (text_[at] == '{' || text_[at] == '[')) {
      roots_.push_back(builder_.size());
      at = skip_json_blanks(builder_.storage(), parse_json(builder_, at, end), end);
    }
  } catch (const Malformed&) {
    at = 0;
  }
  if (at == end) return true;
  builder_.rewind(0);
  roots_.clear();
  return false;
}

// run() checks the UTF-8 of the whole file once. Only if that fails, each document is checked
// separately.
void FileParser::check_utf8(uint32_t begin, uint32_t end) const {
  if (valid_utf8_) return;
  size_t valid = valid_utf8_prefix(text_.substr(begin, end - begin));
  if (begin + valid < end) throw Malformed{uint32_t(begin + valid), "not UTF-8"};
}

void FileParser::parse_whole_json() {
  const size_t content = text_.find_first_not_of(kJsonBlanks);
  if (content != text_.npos) parse_json_part(uint32_t(content), uint32_t(text_.size()));
}

void FileParser::parse_part(Part part) {
  size_t content = part.begin;
  if (text_.substr(content).starts_with("---")) content += 3;
  content = text_.substr(0, part.end).find_first_not_of(kJsonBlanks, content);
  if (content == text_.npos) return;
  if (looks_like_json(text_.substr(content, part.end - content))) {
    parse_json_part(uint32_t(content), part.end);
  } else {
    parse_yaml_part(part);
  }
}

// A fault in the directives of a document costs them alone: what they stand before may be good.
void FileParser::parse_yaml_part(Part part) {
  size_t root = builder_.size();
  try {
    check_utf8(part.begin, part.end);
    if (parse_yaml(builder_, aliases_, part.begin, part.end)) roots_.push_back(root);
  } catch (const Malformed& malformed) {
    if (give_up_template(root, part, malformed)) return;
    give_up(root, malformed, "malformed YAML");
    const uint32_t content =
        part.begin + directives(text_.substr(part.begin, part.end - part.begin));
    if (malformed.offset < content) parse_part({content, part.end});
  }
}

void FileParser::parse_json_part(uint32_t begin, uint32_t end) {
  const std::string_view text = text_.substr(0, end);
  bool broken = false;  // an earlier document of this part was malformed
  for (uint32_t at = begin; at < end;) {
    size_t root = builder_.size();
    uint32_t behind = at;
    try {
      if (text[at] != '{' && text[at] != '[') throw Malformed{at, "expected another document"};
      behind = parse_json(builder_, at, end);
      check_utf8(at, behind);
      behind = skip_json_blanks(builder_.storage(), behind, end);
    } catch (const Malformed& malformed) {
      if (!broken && give_up_template(root, {begin, end}, malformed)) return;
      give_up(root, malformed, "malformed JSON");
      broken = true;
      // The line that was taken for the start of a document may itself belong to the malformed one.
      at = next_json_start(text, std::max({at + 1, malformed.offset, behind}) - 1, end);
      continue;
    }
    // A text that continues like this was a piece of the malformed document that happens to begin a
    // line.
    if (broken && behind < end && std::string_view(",]}").find(text[behind]) != text.npos) {
      builder_.rewind(root);
      at = next_json_start(text, behind, end);
      continue;
    }
    roots_.push_back(root);
    at = behind;
  }
}

}  // namespace

void parse_file(Storage& storage, Diagnostics& diagnostics, const Limits& limits) {
  FileParser(storage, diagnostics, limits).run();
}

}  // namespace berth::document::internal
