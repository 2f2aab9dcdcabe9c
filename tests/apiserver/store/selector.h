#pragma once

// The fieldSelector and labelSelector of a list or a watch.

#include <string>
#include <string_view>
#include <vector>

#include "tests/apiserver/resources/resource.h"
#include "tests/apiserver/store/version.h"

namespace berth::apiserver {

class Selector {
 public:
  // Empty texts select all. Throws Problem if one cannot be read, or a field cannot be selected.
  Selector(const Resource& resource, std::string_view fields, std::string_view labels);

  bool all() const { return fields_.empty() && labels_.empty(); }
  bool matches(const Version& version) const;

 private:
  enum class Operator : uint8_t { kIn, kNotIn, kExists, kAbsent };

  struct FieldTerm {
    enum class Of : uint8_t { kName, kNamespace, kField } of;
    size_t field;  // of Version::fields()
    bool equal;
    std::string value;
  };
  struct LabelTerm {
    std::string key;
    Operator op;
    std::vector<std::string> values;
  };

  void add_field(const Resource& resource, std::string_view term);
  void add_label(std::string_view term);
  static bool matches(const FieldTerm& term, const Version& version);
  static bool matches(const LabelTerm& term, const Version& version);

  std::vector<FieldTerm> fields_;
  std::vector<LabelTerm> labels_;
};

}  // namespace berth::apiserver
