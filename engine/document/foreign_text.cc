#include "engine/document/foreign_text.h"

#include <algorithm>

#include "engine/base/text/printable.h"

namespace berth::document {
namespace {

using namespace std::string_view_literals;

struct Compression {
  std::string_view magic;
  std::string_view name;
  std::string_view tool;
};

constexpr Compression kCompressions[] = {
    {"\x1f\x8b"sv, "gzip", "gunzip"},     {"\x28\xb5\x2f\xfd"sv, "zstd", "unzstd"},
    {"\xfd\x37\x7a\x58"sv, "xz", "unxz"}, {"BZh"sv, "bzip2", "bunzip2"},
    {"PK\x03\x04"sv, "zip", "unzip"},
};

// True if it has a byte order mark, or letters of ASCII that are two bytes wide.
bool is_utf16(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  if (text.size() < 4) return false;
  return (is_printable_ascii(text[0]) && text[1] == 0 && text[3] == 0) ||
         (text[0] == 0 && is_printable_ascii(text[1]) && text[2] == 0);
}

// True for "NAME", a line break and a name: what kubectl prints of objects by their names alone. As
// YAML it would be one text of two words, and no object.
bool is_table_of_names(std::string_view text) {
  constexpr std::string_view kHeading = "NAME";
  constexpr std::string_view kInNames = "abcdefghijklmnopqrstuvwxyz0123456789-.";
  if (!text.starts_with(kHeading)) return false;
  text.remove_prefix(kHeading.size());
  const std::string_view blanks = text.substr(0, text.find_first_not_of(" \r\n"));
  text.remove_prefix(blanks.size());
  const std::string_view name = text.substr(0, text.find_first_not_of(kInNames));
  const std::string_view rest = text.substr(name.size());
  return blanks.find('\n') != blanks.npos && !name.empty() && name.front() != '-' &&
         (rest.empty() || " \r\n"sv.find(rest.front()) != ""sv.npos);
}

// The first line of a table that kubectl prints: headings in capitals, with three blanks or more
// between them, such as "NAME   STATUS   ROLES   AGE". No line of YAML with a key is one.
bool is_table(std::string_view text) {
  // Most texts are told by their first character, without a search for the end of the line.
  if (text.empty() || text.front() < 'A' || text.front() > 'Z') return false;
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  const auto in_heading = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || " -_()%/"sv.find(c) != ""sv.npos;
  };
  return line.find("   ") < line.find_last_not_of(' ') && std::ranges::all_of(line, in_heading);
}

}  // namespace

std::optional<std::string> foreign_text(std::string_view beginning) {
  for (const Compression& compression : kCompressions)
    if (beginning.starts_with(compression.magic))
      return "this is " + std::string(compression.name) + " data: decompress it first, with " +
             std::string(compression.tool);
  if (is_utf16(beginning))
    return "this is UTF-16 text: convert it to UTF-8, with iconv -f UTF-16 -t UTF-8";
  if (is_table(beginning) || is_table_of_names(beginning))
    return "this is a table that kubectl prints for people: write the objects with kubectl get "
           "-o json";
  return std::nullopt;
}

}  // namespace berth::document
