#pragma once

// Which objects of a kind the sink has, and in which version. Turns objects of lists and events
// into changes of what it has: equal versions change nothing, whatever their way here. Versions
// are opaque texts: they are equal or they differ.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/document/document.h"
#include "engine/kube/api/object_reader.h"
#include "engine/kube/kinds.h"

namespace berth::kube {

struct ObjectVersion {
  std::string uid, resource_version;  // any text, not empty
};

// One thread. About 250 bytes an object.
class Mirror {
 public:
  // `fault` is told of each object that is left out, in one printable line. `whole`: see Watched.
  Mirror(const ServedKind& kind, bool whole, std::function<void(std::string)> fault)
      : kind_(kind), whole_(whole), fault_(std::move(fault)) {}

  // Objects that are not taken from here on to end_list() are gone. A list that was begun may be
  // begun anew.
  void begin_list() { ++list_; }
  // Appends the objects that are gone to `changes`, in the order of their names.
  void end_list(std::vector<Watched>& changes);

  // An object of a list is added. What changes is appended to `changes`, if anything does: not more
  // than a DELETED and an ADDED. An object that cannot be decoded leaves the sink with the object
  // of the same UID that it has; one of another UID is gone.
  void take(model::Operation operation, document::Value object, std::vector<Watched>& changes);

  // Null: the sink has no such object. Valid until the next change. `namespace_name`: empty if the
  // kind has none.
  const ObjectVersion* find(std::string_view namespace_name, std::string_view name) const;
  size_t size() const { return known_.size(); }

 private:
  struct Known {
    ObjectVersion version;
    uint32_t list = 0;  // in which it was last there
  };
  // By "NAMESPACE/NAME", or the name.
  using Objects = std::unordered_map<std::string, Known>;

  static std::string key_of(std::string_view namespace_name, std::string_view name);
  model::Change deleted(std::string_view key) const;
  void remove(Objects::iterator known, std::vector<Watched>& changes);
  void leave_out(document::Value object, const std::string& fault) const;

  const ServedKind& kind_;
  bool whole_;
  std::function<void(std::string)> fault_;
  Objects known_;
  uint32_t list_ = 0;  // the number of the current, or last, list
};

}  // namespace berth::kube
