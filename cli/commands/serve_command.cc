// berth serve: starts the program berth-serve, which has the libraries of an API server's client.

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "engine/base/error.h"
#include "engine/startup/plugin_folders.h"
#include "engine/startup/serve/serve_command.h"

namespace berth::cli {
namespace {

// The arguments of this process, each followed by a NUL.
std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string one; std::getline(file, one, '\0');) arguments.push_back(one);
  return arguments;
}

// The process becomes that program. Throws Error if it cannot.
int become_service() {
  const std::filesystem::path program =
      startup::places_of_process().prefix / "lib/berth/berth-serve";
  std::vector<std::string> arguments = own_arguments();
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw Error(
      Place{.file = program.string(), .field = {}},
      std::string("cannot be started: ") + std::strerror(errno) + "; install Berth as a whole");
}

}  // namespace

void add_serve(CLI::App& app, int& status) {
  startup::add_serve(app, status, [](startup::ServeOptions&) { return become_service(); });
}

}  // namespace berth::cli
