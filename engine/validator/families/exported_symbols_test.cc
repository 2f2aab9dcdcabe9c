#include "engine/validator/families/exported_symbols.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/base/error.h"

namespace berth::validator {
namespace {

// A plugin that the build made.
std::string plugin() {
  std::ifstream file(BERTH_BUILD_DIR "/test/plugins/museum_behaves.so", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> symbols(const std::string& bytes) {
  return exported_symbols(std::as_bytes(std::span(bytes)));
}

// The names, or none if the file is refused.
std::vector<std::string> symbols_or_none(const std::string& bytes) {
  try {
    return symbols(bytes);
  } catch (const Error&) {
    return {};
  }
}

TEST(ExportedSymbols, OfAPlugin) {
  EXPECT_EQ(symbols(plugin()), std::vector<std::string>{"berth_plugin_entry_v1"});
}

TEST(ExportedSymbols, RefusesWhatIsNoObject) {
  EXPECT_THROW(symbols(""), Error);
  EXPECT_THROW(symbols(std::string(64, '\0')), Error);
}

// No part of the file is trusted: whatever is missing or wrong, nothing behind its end is read.
TEST(ExportedSymbols, TruncatedAndSpoiledFiles) {
  const std::string whole = plugin();
  for (size_t size = 0; size < whole.size(); size += 1 + size / 50)
    EXPECT_LE(symbols_or_none(std::string(whole.data(), size)).size(), 1u);
  for (size_t at = 0; at < 64; ++at)
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string spoiled = whole;
      spoiled[at] = value;
      symbols_or_none(spoiled);
    }
  // The section table, which the last bytes of the file hold.
  for (size_t back = 1; back < 2400 && back < whole.size(); back += 3) {
    std::string spoiled = whole;
    spoiled[whole.size() - back] = '\xff';
    symbols_or_none(spoiled);
  }
}

}  // namespace
}  // namespace berth::validator
