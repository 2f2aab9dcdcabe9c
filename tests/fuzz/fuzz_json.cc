// Any bytes as a JSON file of Kubernetes objects, compared with simdjson: both parsers must agree
// on the value of every document that simdjson accepts.

#include <simdjson.h>

#include "tests/fuzz/fuzz_objects.h"

namespace {

using berth::document::Kind;
using berth::document::Value;
using simdjson::dom::element;
using simdjson::dom::element_type;

void check_equal(Value mine, element theirs);

void check_array(Value mine, simdjson::dom::array theirs) {
  BERTH_ASSERT(mine.is(Kind::kArray));
  auto at = mine.elements().begin();
  for (element item : theirs) {
    BERTH_ASSERT(at != mine.elements().end());
    check_equal(*at++, item);
  }
  BERTH_ASSERT(at == mine.elements().end());
}

void check_object(Value mine, simdjson::dom::object theirs) {
  BERTH_ASSERT(mine.is(Kind::kObject));
  auto at = mine.members().begin();
  for (simdjson::dom::key_value_pair member : theirs) {
    BERTH_ASSERT(at != mine.members().end());
    BERTH_ASSERT((*at).key == member.key);
    check_equal((*at++).value, member.value);
  }
  BERTH_ASSERT(at == mine.members().end());
}

void check_equal(Value mine, element theirs) {
  switch (theirs.type()) {
    case element_type::ARRAY:
      return check_array(mine, theirs);
    case element_type::OBJECT:
      return check_object(mine, theirs);
    case element_type::STRING:
      return BERTH_ASSERT(mine.is(Kind::kString) &&
                          mine.as_string() == theirs.get_string().value());
    case element_type::BOOL:
      return BERTH_ASSERT(mine.is(Kind::kBoolean) && mine.as_bool() == theirs.get_bool().value());
    case element_type::NULL_VALUE:
      return BERTH_ASSERT(mine.is(Kind::kNull));
    case element_type::INT64:
      return BERTH_ASSERT(mine.as_int64() == theirs.get_int64().value());
    case element_type::UINT64:
      return BERTH_ASSERT(mine.as_double() == double(theirs.get_uint64().value()));
    case element_type::DOUBLE:
      return BERTH_ASSERT(mine.as_double() == theirs.get_double().value());
  }
}

// Text with such a beginning is not YAML.
bool begins_with_a_key(std::string_view text) {
  size_t brace = text.find_first_not_of(" \t\r\n");
  if (brace == text.npos || text[brace] != '{') return false;
  size_t quote = text.find_first_not_of(" \t\r\n", brace + 1);
  return quote != text.npos && text[quote] == '"';
}

// True if the text contains a document separator.
bool parted(std::string_view text) {
  return text.find("\n---") != text.npos || text.find("\n...") != text.npos;
}

bool is_too_deep(const berth::Diagnostics& diagnostics) {
  return diagnostics.count() == 1 &&
         diagnostics.kept()[0].message().find("nested deeper") != std::string::npos;
}

bool may_be_refused_by_simdjson(simdjson::error_code error) {
  return error == simdjson::NUMBER_ERROR      // out of range
         || error == simdjson::STRING_ERROR;  // half of a surrogate pair
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static simdjson::dom::parser parser;
  std::string_view text = berth::fuzz::text_of(data, size);
  berth::Diagnostics diagnostics;
  berth::document::Document document = berth::fuzz::check_file(text, diagnostics);
  bool accepted = diagnostics.count() == 0 && document.roots().size() == 1;

  simdjson::padded_string padded(text);
  element theirs;
  simdjson::error_code error = parser.parse(padded).get(theirs);
  if (error == simdjson::SUCCESS && (theirs.is_array() || theirs.is_object())) {
    BERTH_ASSERT(accepted || is_too_deep(diagnostics));
    if (accepted) check_equal(document.roots()[0], theirs);
  } else if (accepted && begins_with_a_key(text) && !parted(text)) {
    BERTH_ASSERT(may_be_refused_by_simdjson(error));
  }
  return 0;
}
