#include "engine/host/calls/checks/guard.h"

#include <cxxabi.h>

#include <cstring>
#include <exception>

namespace berth::host {
namespace {

// Layout fixed by the Itanium C++ ABI (2.2.2, Caught Exception Stack).
struct ExceptionGlobals {
  void* caught;
  unsigned int uncaught;
};

constexpr size_t kLongestSaid = 64 * 1024;

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

std::string caught_in(const PluginFunction& function) {
  // The plugin's own code may produce the text of its exception.
  const InPlugin scope(function);
  repair_uncaught_count();
  const std::string text = "threw an exception in " + std::string(function.function);
  try {
    throw;
  } catch (const std::exception& exception) {
    const char* said = exception.what();
    return said == nullptr ? text : text + ": " + std::string(said, ::strnlen(said, kLongestSaid));
  } catch (...) {
    return text;
  }
}

}  // namespace berth::host
