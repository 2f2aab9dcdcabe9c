#pragma once

// Reads the objects of a kubeconfig as client-go does: null means not set, unknown fields have no
// effect. Internal to this module.

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/document/document.h"

namespace berth::kube {

// The error of a value, with its place and field. Messages show no value that may be a secret.
Error fault_at(document::Value value, std::string message);

// Unknown fields, each named once, without the indices of lists. The first kMost are kept.
class UnknownFields {
 public:
  static constexpr size_t kMost = 100;

  // `known`: what the object may have beside.
  void add(std::string_view object, document::Value key, const std::vector<std::string>& known);

  const std::vector<Error>& remarks() const { return remarks_; }

 private:
  std::set<std::string> seen_;
  std::vector<Error> remarks_;
};

// One object. Each function reads a member, and leaves `to` as it is if the member is not set. They
// throw Error for a value of another type.
class Fields {
 public:
  // `name`: of this kind of object, for remarks, such as users[].user. Throws Error unless the
  // value is an object or not set.
  Fields(document::Value object, std::string name);

  void text(std::string_view key, std::string& to);
  // A text that is sent in a header: an error if it has control characters.
  void header(std::string_view key, std::string& to);
  void base64(std::string_view key, std::string& to);
  void flag(std::string_view key, bool& to);
  void headers(std::string_view key, std::vector<std::string>& to);
  void texts(std::string_view key, std::vector<std::string>& to);
  // Members of any type that have no effect here.
  void ignore(std::initializer_list<std::string_view> keys);
  // Absent unless it is set. Requires an object, or an array.
  document::Value object(std::string_view key);
  document::Value array(std::string_view key);

  // Adds the members that were not asked for. Call it last.
  void finish(UnknownFields& unknown) const;

 private:
  // The member; absent if it is not set. Throws unless it is of this kind.
  document::Value member(std::string_view key, document::Kind kind);

  document::Value object_;
  std::string name_;
  std::vector<std::string> known_;
};

}  // namespace berth::kube
