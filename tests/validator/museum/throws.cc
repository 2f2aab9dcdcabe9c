// The exception of the exhibits that throw.

#include <stdexcept>

#include "tests/validator/museum/museum.h"

void museum_throw() { throw std::runtime_error("bad luck"); }
