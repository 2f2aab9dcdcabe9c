// Loading of plugins, and the messages for refused ones.

#include "engine/host/loading/library.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <exception>

#include "engine/base/error.h"
#include "tests/host/scratch_folder.h"

namespace berth::host {
namespace {

// The message of a refused plugin, without the path.
std::string refusal_of(const std::filesystem::path& path) {
  try {
    Library::load(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, path.string());
    return error.message();
  }
  return "loaded";
}
std::string refusal(const std::string& name) { return refusal_of(ScratchFolder::built(name)); }

std::shared_ptr<const Library> load_file(const std::filesystem::path& path) {
  return Library::load(SealedFile(path), host_revisions(), LoadFrom::kFile);
}

TEST(Library, LoadsAGoodPlugin) {
  const auto library = Library::load(ScratchFolder::built("good"));
  EXPECT_EQ(library->name(), "Identity");
  EXPECT_EQ(library->identity().id, "io.example.identity");
  EXPECT_EQ(library->version(), "1.2.3");
  EXPECT_EQ(library->points(), std::vector<Point>{Point::kPreEnqueue});
  EXPECT_TRUE(library->implements(Point::kPreEnqueue));
  EXPECT_FALSE(library->implements(Point::kFilter));
  EXPECT_FALSE(library->takes_arguments());
  EXPECT_EQ(library->hash(), SealedFile(ScratchFolder::built("good")).hash());
}

// Each copy gets its own name, because the loader would return the first one for an equal name.
TEST(Library, LoadsManyPluginsSideBySide) {
  std::vector<std::shared_ptr<const Library>> libraries;
  for (int i = 0; i < 3; ++i) {
    for (const char* name : {"good", "same_name", "same_id", "faulty"}) {
      libraries.push_back(Library::load(ScratchFolder::built(name)));
    }
  }
  EXPECT_EQ(libraries[1]->identity().id, "io.example.twin");
  EXPECT_EQ(libraries[2]->name(), "Twin");
  EXPECT_EQ(libraries[3]->name(), "Faulty");
  EXPECT_NE(libraries[0]->functions().create, libraries[1]->functions().create);
  EXPECT_NE(libraries[0]->functions().create, libraries[4]->functions().create);
}

TEST(Library, WhatWasReadIsWhatIsLoaded) {
  const ScratchFolder folder;
  const auto path = folder.plugin("good", "x.so");
  SealedFile file(path);
  folder.write("x.so", "something else by now");
  EXPECT_EQ(Library::load(std::move(file))->name(), "Identity");
}

// The file that the loader knows the code of a library by.
std::string loaders_name(const Library& library) {
  Dl_info info{};
  EXPECT_NE(dladdr(reinterpret_cast<void*>(library.functions().create), &info), 0);
  return info.dli_fname;
}

// So debuggers and core dumps find it.
TEST(Library, HasTheNameOfItsFile) {
  const ScratchFolder folder;
  const auto path = folder.plugin("good", "x.so");
  EXPECT_EQ(loaders_name(*Library::load(path)), path.string());
  const auto other = folder.plugin("good", "y.so");
  EXPECT_EQ(loaders_name(*load_file(other)), other.string());
}

TEST(Library, RefusesAFileThatChanged) {
  const ScratchFolder folder;
  const auto path = folder.plugin("good", "z.so");
  SealedFile file(path);
  folder.write("z.so", "something else by now");
  try {
    Library::load(std::move(file), host_revisions(), LoadFrom::kFile);
    FAIL() << "loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "plugin \"Identity\" cannot be loaded: its file was changed after it was read; start "
              "again when it is complete");
  }
}

TEST(Library, SaysHowALibraryBesideItIsFound) {
  const ScratchFolder folder;
  const auto path = folder.plugin("needs_helper", "needs_helper.so");
  const std::string helper = "libberth_test_helper.so";
  const std::string what = "plugin \"Identity\" cannot be loaded: " + helper +
                           ": cannot open shared object file: No such file or directory; ";
  const std::string link =
      "link \"" + helper + "\" into the plugin (a static library), or link with ";
  EXPECT_EQ(refusal_of(path), what + link + "-Wl,-rpath,FOLDER");
  std::filesystem::copy_file(ScratchFolder::built("needs_helper").parent_path() / helper,
                             folder.path() / helper);
  EXPECT_EQ(
      refusal_of(path),
      what +
          "it is beside the plugin, but $ORIGIN does not lead there, because the loader opens "
          "a sealed copy of the plugin: " +
          link + "-Wl,-rpath," + folder.path().string());
  EXPECT_EQ(load_file(path)->name(), "Identity");
}

TEST(Library, RefusesWithoutRunningCode) {
  EXPECT_EQ(refusal("no_note"),
            "not a Berth plugin: it has no section .note.berth (BERTH_PLUGIN_NOTE makes one)");
  EXPECT_EQ(refusal("other_major"),
            "plugin \"Identity\" is built for ABI 2.x; this Berth has " + host_abi());
  EXPECT_EQ(refusal("newer_minor"),
            "plugin \"Identity\" needs ABI 1.7 or later; this Berth has " + host_abi());
  EXPECT_EQ(refusal("built_before"),
            "plugin \"Identity\" needs ABI 1.2, but was built for ABI 1.1");
  EXPECT_EQ(
      refusal("needs_unknown"),
      "plugin \"Identity\" needs the service berth.weather/0, which this Berth does not have; "
      "needs the service berth.worker/7; this Berth has berth.worker/0; needs the column "
      "node.colour, which this Berth does not have");
  EXPECT_EQ(refusal("other_revision"),
            "plugin \"Identity\" implements berth.filter/3; this Berth has berth.filter/0; "
            "implements berth.score/9; this Berth has berth.score/0");
  EXPECT_EQ(refusal("unknown_points"),
            "plugin \"Identity\" implements no extension point that this Berth has "
            "(berth.survivors/0)");
}

TEST(Library, LoadsWhatNeedsWhatIsThere) {
  const auto library = Library::load(ScratchFolder::built("needs_known"));
  EXPECT_EQ(library->identity().needs,
            (std::vector<std::string>{"berth.worker/0", "node.domain:*", "pod.annotation:a/b",
                                      "node.name"}));
}

// Later points of the ABI, and those of a vendor's own host.
TEST(Library, LeavesUnknownPointsAlone) {
  const auto library = Library::load(ScratchFolder::built("also_unknown_points"));
  EXPECT_EQ(library->points(), std::vector<Point>{Point::kPreEnqueue});
  EXPECT_EQ(library->identity().points.size(), 3u);
}

TEST(Library, RefusesWhatCannotBeLoaded) {
  EXPECT_EQ(refusal("no_entry"), "plugin \"Identity\" exports no function berth_plugin_entry_v1");
  EXPECT_EQ(refusal("missing_symbol"), "plugin \"Identity\" cannot be loaded: " +
                                           ScratchFolder::built("missing_symbol").string() +
                                           ": undefined symbol: berth_test_symbol_that_nobody_has");
  EXPECT_EQ(refusal("no_descriptor"),
            "plugin \"Identity\" returned no descriptor from berth_plugin_entry_v1");
}

TEST(Library, RefusesADescriptorThatIsNotTheNote) {
  EXPECT_EQ(
      refusal("says_other_name"),
      "plugin \"Identity\" has the name \"Impostor\" in its descriptor, but \"Identity\" in its "
      "note");
  EXPECT_EQ(refusal("no_size"),
            "plugin \"Identity\" returned a descriptor of 0 bytes; ABI " + host_abi() + " has 120");
}

TEST(Library, ARefusalListsEverything) {
  EXPECT_EQ(refusal("says_all_other"),
            "plugin \"Identity\" has the ABI major 3 in its descriptor, but 1 in its note; "
            "has the ABI minor needed 9 in its descriptor, but 0 in its note; "
            "has the id \"io.example.other\" in its descriptor, but \"io.example.identity\" in its "
            "note; "
            "has the name \"Other\" in its descriptor, but \"Identity\" in its note; "
            "has the extension points \"berth.filter/0\" in its descriptor, but "
            "\"berth.pre_enqueue/0\" in its note; "
            "has 5 in the member reserved1, which must be 0, in its descriptor; "
            "has no create function in its descriptor; "
            "has no init function in its descriptor; "
            "has no extension function in its descriptor; "
            "has no destroy function in its descriptor");
}

TEST(Library, SurvivesAnExceptionFromTheEntry) {
  const std::string expected =
      "plugin \"ThrowsAtEntry\" threw an exception in berth_plugin_entry_v1: no entry today";
  EXPECT_EQ(refusal("throws_at_entry"), expected);
  EXPECT_EQ(refusal("throws_at_entry"), expected);
  // A plugin with its own C++ runtime leaves the host's exception state unchanged.
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

}  // namespace
}  // namespace berth::host
