#pragma once

// The verdicts of rows where filters are asked by class: of a row's own and that of its class the
// one whose filter comes first in the profile.
//
// A class that becomes refused costs nothing by row: it is late, and its rows are written when
// somebody asks (settle). One thread at a time.

#include <cstdint>
#include <vector>

#include "engine/framework/ranking/class_verdicts.h"
#include "engine/framework/ranking/rows/overlays.h"
#include "engine/framework/ranking/rows/own_verdicts.h"

namespace berth::framework {

class WholeVerdicts {
 public:
  void resize(model::Row rows) {
    make_room(refuser_, rows);
    make_room(code_, rows);
  }
  void set(model::Row row, Refuser refuser, uint8_t code) {
    refuser_[row] = refuser;
    code_[row] = code;
  }
  // Own verdicts changed where nobody says: all rows are late.
  void all_are_late() {
    all_late_ = true;
    late_ = 0;
  }
  void are_late(uint64_t classes) { late_ |= classes; }  // classes as bits
  // Writes the rows of classes that are late.
  void settle(const ClassVerdicts& classes, const OwnVerdicts& own, const Overlays& overlays,
              model::Row rows);

  // By row, right for rows of classes that are not late.
  Refuser* refusers() { return refuser_.data(); }
  const Refuser* refusers() const { return refuser_.data(); }
  uint8_t* codes() { return code_.data(); }
  size_t bytes() const { return refuser_.capacity() + code_.capacity(); }

 private:
  std::vector<Refuser> refuser_;
  std::vector<uint8_t> code_;
  bool all_late_ = false;
  uint64_t late_ = 0;  // classes, as bits
};

}  // namespace berth::framework
