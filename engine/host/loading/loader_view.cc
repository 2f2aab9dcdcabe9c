#include "engine/host/loading/loader_view.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

link_map* object_of(void* handle) {
  link_map* object = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &object) == 0 ? object : nullptr;
}

// The process that traces this one by ptrace; 0: none.
int tracer() {
  std::ifstream status("/proc/self/status");
  std::string word;
  int process = 0;
  while (status >> word)
    if (word == "TracerPid:") return status >> process ? process : 0;
  return 0;
}

}  // namespace

LoadFrom load_from(LoadFrom wanted) { return tracer() != 0 ? LoadFrom::kFile : wanted; }

std::string loader_name(const SealedFile& file, LoadFrom from) {
  return from == LoadFrom::kFile ? file.real_path().string()
                                 : "/proc/self/fd/" + std::to_string(file.descriptor());
}

void name_in_loader(void* handle, const std::filesystem::path& path) {
  link_map* object = object_of(handle);
  char* name = object != nullptr ? strdup(path.c_str()) : nullptr;
  if (name == nullptr) return;
  // The former name stays, because somebody may have asked for it. The static vector keeps leak
  // checkers quiet.
  static Mutex mutex;
  static auto& former = *new std::vector<char*>;
  const MutexLock lock(mutex);
  former.push_back(object->l_name);
  object->l_name = name;
}

std::string advice_about(const std::string& message, const std::filesystem::path& plugin,
                         LoadFrom from) {
  if (message.find(": cannot open shared object file") == message.npos) return {};
  const std::string library = message.substr(0, message.find(": "));
  std::error_code error;
  const std::filesystem::path folder = plugin.parent_path();
  const bool beside =
      from == LoadFrom::kSealedCopy && std::filesystem::exists(folder / library, error);
  return "; " +
         (beside ? "it is beside the plugin, but $ORIGIN does not lead there, because the loader "
                   "opens a sealed copy of the plugin: "
                 : std::string()) +
         "link " + in_quotes(library) + " into the plugin (a static library), or link with " +
         (beside ? "-Wl,-rpath," + folder.string() : "-Wl,-rpath,FOLDER");
}

}  // namespace berth::host
