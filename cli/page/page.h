#pragma once

// The frame of an HTML page that needs no network, and the parts that such pages have in common.
//
// A page may have texts from outside anywhere, so all text goes through safe_text(), and the page's
// policy lets a browser run nothing but our own script, which the page works without.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::cli {

// Text from outside: safe to show, and never markup.
std::string safe_text(std::string_view text);

enum class PageScript : uint8_t {
  kNone,
  kNarrow,  // of narrow_field()
};

// The page up to its heading.
std::string page_head(std::string_view program, std::string_view title,
                      PageScript script = PageScript::kNone);
// The end of a page with this script.
std::string page_end(PageScript script = PageScript::kNone);

// A field that hides all elements of the class "named" whose first child does not have the text
// that the user types. It is not shown without scripts.
void narrow_field(std::string& page, std::string_view label);

using TextPairs = std::vector<std::pair<std::string, std::string>>;
using TextCounts = std::vector<std::pair<uint64_t, std::string>>;
using TextRows = std::vector<std::vector<std::string>>;

// The parts of a page. Each is left out if it has no rows, with its title; an empty title is left
// out alone.
//
// Names and their values.
void facts_part(std::string& page, std::string_view title, const TextPairs& facts);
// Counts, and what is counted.
void counts_part(std::string& page, std::string_view title, const TextCounts& rows);
void lines_part(std::string& page, std::string_view title, const std::vector<std::string>& lines);

// The columns of a table.
struct Columns {
  std::vector<std::string> names;
  size_t numbers = SIZE_MAX;  // columns from here on are numbers
  // True: a narrow screen shows each row as lines, else the table scrolls within its box.
  bool stacks = false;
};
// `more`: rows that are left out.
void table_part(std::string& page, std::string_view title, const Columns& columns,
                const TextRows& rows, uint64_t more = 0);

}  // namespace berth::cli
