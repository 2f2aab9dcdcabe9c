#include "engine/host/loading/discovery.h"

#include <gtest/gtest.h>

#include "engine/host/loading/library.h"
#include "tests/host/scratch_folder.h"

namespace berth::host {
namespace {

std::vector<std::string> problems(const Discovery& discovery) {
  std::vector<std::string> texts;
  for (const Problem& problem : discovery.problems) texts.emplace_back(problem.error.what());
  return texts;
}

// Why no plugin of that name can be used.
std::vector<std::string> reasons(const Discovery& discovery, std::string_view name) {
  std::vector<std::string> texts;
  for (const Problem* problem : discovery.problems_of(name))
    texts.emplace_back(problem->error.what());
  return texts;
}

Discovery search(const ScratchFolder& folder) {
  const std::filesystem::path paths[] = {folder.path()};
  return discover(paths);
}

TEST(Discovery, FindsPluginsAndTellsWhyOthersAreNone) {
  const ScratchFolder folder;
  folder.plugin("good", "a.so");
  folder.plugin("faulty", "b.so");
  folder.plugin("newer_minor", "c.so");
  folder.write("d.so", "text");
  folder.write("readme.txt", "not looked at");
  std::filesystem::create_directory(folder.path() / "e.so");
  std::filesystem::create_directory(folder.path() / "deeper");
  folder.plugin("same_id", "deeper/f.so");

  const Discovery found = search(folder);
  ASSERT_EQ(found.plugins.size(), 2u);
  EXPECT_EQ(found.plugins[0].identity.name, "Faulty");
  EXPECT_EQ(found.plugins[1].identity.name, "Identity");
  const std::string at = folder.path().string();
  EXPECT_EQ(
      problems(found),
      (std::vector<std::string>{
          at + "/c.so: plugin \"Identity\" needs ABI 1.7 or later; this Berth has " + host_abi(),
          at + "/d.so: not a shared object: it does not begin with an ELF header",
          at + "/e.so: it is a folder, not a plugin"}));
  EXPECT_EQ(found.find("Faulty")->file.path(), folder.path() / "b.so");
  EXPECT_EQ(found.find("Fault"), nullptr);
  EXPECT_EQ(reasons(found, "Identity"), std::vector{problems(found)[0]});
  EXPECT_EQ(reasons(found, "D"), std::vector{problems(found)[1]});
  EXPECT_TRUE(reasons(found, "Unheard").empty());
}

TEST(Discovery, RefusesTwoOfOneNameOrOneId) {
  const ScratchFolder folder;
  const std::string a = folder.plugin("good", "a.so").string();
  const std::string b = folder.plugin("same_name", "b.so").string();
  const std::string c = folder.plugin("same_id", "c.so").string();
  folder.plugin("faulty", "d.so");

  const Discovery found = search(folder);
  ASSERT_EQ(found.plugins.size(), 1u);
  EXPECT_EQ(found.plugins[0].identity.name, "Faulty");
  EXPECT_EQ(
      problems(found),
      (std::vector<std::string>{
          a + ": its name \"Identity\" is also that of " + b + "; remove all but one",
          b + ": its name \"Identity\" is also that of " + a + "; remove all but one",
          a + ": its id \"io.example.identity\" is also that of " + c + "; remove all but one",
          c + ": its id \"io.example.identity\" is also that of " + a + "; remove all but one",
      }));
}

// An author has installed the plugin that a test of its project runs.
TEST(Discovery, APluginOfANamedFolderWins) {
  const ScratchFolder folder;
  for (const char* name : {"mine", "more", "installed"})
    std::filesystem::create_directory(folder.path() / name);
  const std::filesystem::path mine = folder.plugin("good", "mine/a.so");
  folder.plugin("good", "installed/a.so");
  const std::filesystem::path folders[] = {folder.path() / "mine", folder.path() / "installed"};
  EXPECT_EQ(discover(folders).find("Identity"), nullptr);
  const Discovery found = discover(folders, {}, 1);
  EXPECT_EQ(problems(found), std::vector<std::string>{});
  ASSERT_NE(found.find("Identity"), nullptr);
  EXPECT_EQ(found.find("Identity")->file.path(), mine);

  // Two that are named, and others that share the name or the id alone, are doubles as before.
  folder.plugin("good", "more/b.so");
  const std::filesystem::path all[] = {folders[0], folder.path() / "more", folders[1]};
  EXPECT_EQ(discover(all, {}, 2).find("Identity"), nullptr);
  folder.plugin("same_name", "installed/c.so");
  EXPECT_EQ(discover(folders, {}, 1).find("Identity"), nullptr);
}

TEST(Discovery, ALinkToAPluginBesideItIsThatPlugin) {
  const ScratchFolder folder;
  folder.plugin("good", "b.so");
  std::filesystem::create_symlink("b.so", folder.path() / "a.so");
  const std::filesystem::path twice[] = {folder.path(), folder.path()};
  const Discovery found = discover(twice);
  EXPECT_EQ(found.plugins.size(), 1u);
  EXPECT_TRUE(found.problems.empty());
}

TEST(Discovery, FoldersThatCannotBeSearched) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "open");
  folder.plugin("good", "open/a.so");
  ASSERT_EQ(chmod((folder.path() / "open").c_str(), 0777), 0);
  folder.plugin("good", "plugin.so");
  const std::filesystem::path paths[] = {"plugins", folder.path() / "absent",
                                         folder.path() / "plugin.so", folder.path() / "open"};
  const Discovery found = discover(paths);
  const std::string at = folder.path().string();
  EXPECT_TRUE(found.plugins.empty());
  EXPECT_EQ(problems(found),
            (std::vector<std::string>{
                "plugins: the path of a plugin folder must be absolute",
                at + "/absent: cannot read the plugin folder: No such file or directory",
                at + "/plugin.so: is no folder: name the folder that holds the plugins",
                at + "/open: \"" + at +
                    "/open\" has mode 0777, so that others could put code into this process; only "
                    "its owner may write to it (chmod go-w it)"}));
}

// The plugin of an unusable file is told by its note, or else by the file's name.
TEST(Discovery, TellsWhichPluginAnUnusableFileIs) {
  const ScratchFolder folder;
  chmod(folder.plugin("good", "unlike_its_name.so").c_str(), 0777);
  const auto truncated = folder.plugin("faulty", "node_name.so");
  std::filesystem::resize_file(truncated, std::filesystem::file_size(truncated) / 2);
  folder.write("NodePorts.so", "text");

  const Discovery found = search(folder);
  EXPECT_TRUE(found.plugins.empty());
  const auto all = problems(found);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(reasons(found, "NodePorts"), std::vector{all[0]});
  EXPECT_EQ(reasons(found, "NodeName"), std::vector{all[1]});
  EXPECT_NE(all[1].find("truncated"), std::string::npos) << all[1];
  EXPECT_EQ(reasons(found, "Identity"), std::vector{all[2]});
  EXPECT_NE(all[2].find("0777"), std::string::npos) << all[2];
  EXPECT_TRUE(reasons(found, "Unheard").empty());
}

TEST(Discovery, AnUnusableFolderMayHoldAnyPlugin) {
  const std::filesystem::path paths[] = {"/no/such/folder"};
  const Discovery found = discover(paths);
  EXPECT_EQ(reasons(found, "Any"), problems(found));
  EXPECT_EQ(problems(found).size(), 1u);
}

// A discovered plugin is loaded from the copy that was inspected, even if the file changes.
TEST(Discovery, LeadsToALibrary) {
  const ScratchFolder folder;
  folder.plugin("faulty", "a.so");
  Discovery found = search(folder);
  ASSERT_EQ(found.plugins.size(), 1u);
  folder.write("a.so", "gone");
  EXPECT_EQ(Library::load(std::move(found.plugins[0].file))->name(), "Faulty");
}

}  // namespace
}  // namespace berth::host
