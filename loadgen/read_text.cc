#include "loadgen/read_text.h"

#include <array>

#include "engine/base/error.h"
#include "engine/base/io.h"

namespace berth::loadgen {

std::string read_text(const std::string& path, size_t most) {
  FileSource source(path);
  std::string text;
  std::array<uint8_t, 65536> buffer;
  while (const size_t size = source.read(buffer)) {
    text.append(reinterpret_cast<const char*>(buffer.data()), size);
    if (text.size() > most)
      throw Error(Place{.file = path, .field = {}},
                  "is larger than " + std::to_string(most) + " bytes, the most that is read");
  }
  return text;
}

}  // namespace berth::loadgen
