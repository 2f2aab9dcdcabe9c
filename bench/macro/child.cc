#include "bench/macro/child.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <system_error>

#include "engine/base/error.h"
#include "engine/base/io.h"

namespace berth::bench {
namespace {

// The first byte of what a child sends: a result follows, or what it threw.
constexpr char kResult = 'R', kError = 'E';

[[noreturn]] void run_child(const std::function<std::string()>& work, Descriptor to) {
  FileSink sink(std::move(to), "result of a run");
  int status = 0;
  try {
    std::string text = work();
    text.insert(text.begin(), kResult);
    sink.write(std::string_view(text));
  } catch (const std::exception& error) {
    try {
      sink.write(std::string_view(kError + std::string(error.what())));
    } catch (const std::exception&) {
      status = 1;
    }
  }
  std::fflush(nullptr);
  // No destructors: threads that a library keeps would be waited for.
  _exit(status);
}

std::string read_all(Descriptor from) {
  FileSource source(std::move(from), "result of a run");
  std::string text;
  std::array<uint8_t, size_t{1} << 16> piece;
  while (const size_t size = source.read(piece))
    text.append(reinterpret_cast<const char*>(piece.data()), size);
  return text;
}

std::string ending(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by {}", strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit status {}", WEXITSTATUS(status));
}

}  // namespace

std::string in_child(const std::function<std::string()>& work) {
  std::fflush(nullptr);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  Descriptor read_end(ends[0]), write_end(ends[1]);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    read_end = Descriptor();
    run_child(work, std::move(write_end));
  }
  write_end = Descriptor();
  const std::string text = read_all(std::move(read_end));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!text.empty() && text[0] == kResult && status == 0) return text.substr(1);
  if (!text.empty() && text[0] == kError) throw Error(text.substr(1));
  throw Error("the process of the run " + ending(status));
}

}  // namespace berth::bench
