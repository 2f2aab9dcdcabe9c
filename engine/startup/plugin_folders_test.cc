#include "engine/startup/plugin_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "engine/base/error.h"

namespace berth::startup {
namespace {

namespace fs = std::filesystem;
using Lists = std::vector<std::string>;
using Paths = std::vector<fs::path>;

// A home with a folder of plugins.
class Home {
 public:
  Home() {
    std::string name = fs::temp_directory_path() / ("berth-home-" + std::string(6, 'X'));
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
    fs::create_directories(plugins());
  }
  ~Home() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;

  fs::path plugins() const { return path_ / ".local/lib/berth/plugins"; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

const fs::path kInstalled = "/opt/berth/lib/berth/plugins";

PluginPlaces places(const std::string& home = "", const std::string& search_path = "") {
  return {"/opt/berth", home, search_path};
}

TEST(PluginFolders, ListsAreSeparatedByColons) {
  EXPECT_EQ(folders_in("/a:b/c"), (Lists{"/a", "b/c"}));
  EXPECT_EQ(folders_in(":/a::b:"), (Lists{"/a", "b"}));
  EXPECT_EQ(folders_in(""), Lists{});
  EXPECT_EQ(folders_in("::"), Lists{});
  EXPECT_EQ(is_folder_list()("a:b"), "");
  EXPECT_EQ(is_folder_list()(":"), "expected DIR[:DIR...] or default, found \":\"");
}

TEST(PluginFolders, AreSearchedInThisOrder) {
  const Home home;
  const PluginFolders found =
      plugin_folders(Lists{"/z:/y", "/x"}, true, places(home.path(), "/w:/v"));
  EXPECT_EQ(found.all, (Paths{"/z", "/y", "/x", "/w", "/v", home.plugins(), kInstalled}));
  EXPECT_EQ(found.named, 3u);
}

TEST(PluginFolders, WithoutAListTheDefaultOnesAreSearched) {
  EXPECT_EQ(plugin_folders({}, true, places()).all, Paths{kInstalled});
  // A user without plugins, and a home that is no place.
  EXPECT_EQ(plugin_folders({}, true, places("/no/such/home")).all, Paths{kInstalled});
  EXPECT_EQ(plugin_folders({}, true, places("relative")).all, Paths{kInstalled});
}

TEST(PluginFolders, TheDefaultOnesMayBeLeftOut) {
  const Home home;
  EXPECT_EQ(plugin_folders(Lists{"/a"}, false, places(home.path(), "/w")).all, (Paths{"/a", "/w"}));
  // Unless a list names them.
  const PluginFolders named = plugin_folders(Lists{"default:/a"}, false, places(home.path()));
  EXPECT_EQ(named.all, (Paths{"/a", home.plugins(), kInstalled}));
  EXPECT_EQ(named.named, 1u);
  EXPECT_EQ(plugin_folders(Lists{"./default"}, false, places()).all,
            Paths{fs::current_path() / "default"});
}

TEST(PluginFolders, EachIsSearchedOnce) {
  EXPECT_EQ(plugin_folders(Lists{"/a/", "/a:/b/../a:/opt/berth/bin/../lib/berth/plugins"}, true,
                           places("", "/a:/b"))
                .all,
            (Paths{"/a", kInstalled, "/b"}));
}

TEST(PluginFolders, ListsAreRelativeToTheWorkingFolderAndTheVariableIsNot) {
  EXPECT_EQ(plugin_folders(Lists{"build"}, false, places()).all,
            Paths{fs::current_path() / "build"});
  try {
    plugin_folders({}, true, places("", "/a:build"));
    ADD_FAILURE() << "a relative folder was taken";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "BERTH_PLUGIN_PATH: expected absolute folders, separated by colons, found "
                 "\"build\"; --plugins takes folders relative to the working folder");
  }
}

}  // namespace
}  // namespace berth::startup
