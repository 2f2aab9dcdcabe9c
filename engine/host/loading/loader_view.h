#pragma once

// The dynamic loader's view of a plugin, which debuggers, profilers and core dumps share.
//
// Two ways to load one file, both of which run the bytes that were read and hashed:
//
// kSealedCopy, the usual one. The loader opens the sealed copy by its descriptor. Afterwards the
// object gets the path of the file as its name in the loader's list, where core dumps, sanitizers
// and debuggers that attach later find it. Memory maps name it "/memfd:berth:PATH (deleted)".
//
// kFile, for those that look at the object while it is being loaded, when it has no name but that
// of a descriptor, which means another file in their process: debuggers that started Berth, perf
// and Valgrind. The loader opens the file itself. Before and after that, the file has to be the one
// that was copied, and not written since. What is not contained: the plugin's static constructors
// run before the second look, and whoever overwrites the file later changes running code.

#include <filesystem>
#include <string>

#include "engine/host/loading/sealed_file.h"

namespace berth::host {

enum class LoadFrom { kSealedCopy, kFile };

// kFile if a debugger traces this process, else `wanted`.
LoadFrom load_from(LoadFrom wanted);

// The name under which the loader has to open the object. That of a copy names its descriptor; the
// loader treats objects with equal names as one object, so the descriptor stays open after loading:
// its number must not be reused for another copy.
std::string loader_name(const SealedFile& file, LoadFrom from);

// Gives the object this path as its name in the loader's list, for good. `handle`: of dlopen, never
// closed.
void name_in_loader(void* handle, const std::filesystem::path& path);

// If the loader's message says that a library of the plugin is missing: how it can be found. Else
// empty.
std::string advice_about(const std::string& message, const std::filesystem::path& plugin,
                         LoadFrom from);

}  // namespace berth::host
