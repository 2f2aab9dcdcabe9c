#include "engine/host/calls/guard.h"

#include <cxxabi.h>

#include <exception>

namespace berth::host {
namespace {

// Layout fixed by the Itanium C++ ABI (2.2.2, Caught Exception Stack).
struct ExceptionGlobals {
  void* caught;
  unsigned int uncaught;
};

void repair_uncaught_count() {
  if (std::uncaught_exceptions() >= 0) return;
  reinterpret_cast<ExceptionGlobals*>(abi::__cxa_get_globals())->uncaught = 0;
}

}  // namespace

void prepare_unwinder() {
  static const bool prepared = [] {
    try {
      throw 0;
    } catch (int) {
      return true;
    }
  }();
  static_cast<void>(prepared);
}

std::string caught_in(std::string_view where) {
  repair_uncaught_count();
  const std::string text = "threw an exception in " + std::string(where);
  try {
    throw;
  } catch (const std::exception& exception) {
    return text + ": " + exception.what();
  } catch (...) {
    return text;
  }
}

}  // namespace berth::host
