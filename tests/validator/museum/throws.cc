// The exception of the exhibits that throw.

#include <stdexcept>

#include "tests/validator/museum/museum.h"

void museum_throw() { throw std::runtime_error("bad luck"); }

namespace {

class NullText final : public std::exception {
 public:
  const char* what() const noexcept override { return nullptr; }
};

}  // namespace

void museum_throw_null() { throw NullText(); }
