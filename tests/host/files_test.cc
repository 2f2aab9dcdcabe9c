// Files that are not plugins, or that another user could have written.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/base/error.h"
#include "engine/host/loading/elf_note.h"
#include "engine/host/loading/sealed_file.h"
#include "engine/host/loading/trusted_path.h"
#include "tests/host/scratch_folder.h"

namespace berth::host {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kStranger = 12345;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The message for a file, without the path.
std::string problem(const fs::path& path) {
  try {
    const SealedFile file(path);
    read_identity(file.bytes());
  } catch (const Error& error) {
    return error.message();
  }
  return "a plugin";
}

TEST(Files, APluginIsOne) {
  const ScratchFolder folder;
  EXPECT_EQ(problem(folder.plugin("good", "x.so")), "a plugin");
}

TEST(Files, Text) {
  const ScratchFolder folder;
  const std::string no_elf = "not a shared object: it does not begin with an ELF header";
  EXPECT_EQ(problem(folder.write("x.so", "hello")), no_elf);
  EXPECT_EQ(problem(folder.write("x.so", "")), no_elf);
  EXPECT_EQ(problem(folder.write("x.so",
                                 "\x7f"
                                 "EL")),
            no_elf);
  EXPECT_EQ(problem(folder.write("x.so",
                                 "\x7f"
                                 "ELF")),
            "truncated: the file ends within its ELF header");
}

TEST(Files, Truncated) {
  const ScratchFolder folder;
  const std::string whole = contents(folder.plugin("good", "whole.so"));
  EXPECT_EQ(problem(folder.write("x.so", whole.substr(0, whole.size() / 2))),
            "truncated: its section table is beyond the end of the file");
}

// Wrong class, byte order and machine.
TEST(Files, OtherMachine) {
  const ScratchFolder folder;
  const std::string whole = contents(folder.plugin("good", "whole.so"));
  for (const size_t byte : {4, 5, 18}) {
    std::string other = whole;
    other[byte] = 9;
    EXPECT_TRUE(problem(folder.write("x.so", other)).starts_with("built for another machine"));
  }
  std::string program = whole;
  program[16] = 2;
  EXPECT_EQ(problem(folder.write("x.so", program)), "an ELF file, but not a shared object");
}

TEST(Files, NotRegular) {
  const ScratchFolder folder;
  fs::create_directory(folder.path() / "folder.so");
  EXPECT_EQ(problem(folder.path() / "folder.so"), "it is a folder, not a plugin");
  ASSERT_EQ(mkfifo((folder.path() / "pipe.so").c_str(), 0600), 0);
  EXPECT_EQ(problem(folder.path() / "pipe.so"), "it is not a regular file");
  EXPECT_EQ(problem(folder.path() / "absent.so"), "cannot open it: No such file or directory");
  EXPECT_EQ(problem("relative.so"), "the path of a plugin must be absolute");
}

// Root can read everything, so a process with another user id tries.
TEST(Files, Unreadable) {
  const ScratchFolder folder;
  const fs::path path = folder.plugin("good", "x.so");
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  EXPECT_EXIT(
      {
        if (geteuid() == 0 && setresuid(kStranger, kStranger, kStranger) != 0) _exit(1);
        std::fprintf(stderr, "[%s]", problem(path).c_str());
        _exit(0);
      },
      testing::ExitedWithCode(0), "\\[cannot open it: Permission denied\\]");
}

TEST(Files, WritableByOthers) {
  const ScratchFolder folder;
  const fs::path path = folder.plugin("good", "x.so");
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  EXPECT_EQ(problem(path), "\"" + path.string() +
                               "\" has mode 0666, so that others could put code into this process; "
                               "only its owner may write to it (chmod go-w it)");
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_EQ(problem(path), "a plugin");
}

TEST(Files, FolderWritableByOthers) {
  const ScratchFolder folder;
  fs::create_directories(folder.path() / "a/b");
  const fs::path path = folder.plugin("good", "a/b/x.so");
  ASSERT_EQ(chmod((folder.path() / "a").c_str(), 0777), 0);
  EXPECT_EQ(problem(path), "\"" + (folder.path() / "a").string() +
                               "\" has mode 0777, so that others could put code into this process; "
                               "only its owner may write to it (chmod go-w it)");
  // In a sticky folder nobody can replace the files of others, but anybody can add files.
  ASSERT_EQ(chmod((folder.path() / "a").c_str(), 01777), 0);
  EXPECT_EQ(problem(path), "a plugin");
  EXPECT_NE(plugin_folder_problem(folder.path() / "a"), std::nullopt);
  EXPECT_EQ(plugin_folder_problem(folder.path() / "a/b"), std::nullopt);
}

// A symbolic link does not hide the location of the file.
TEST(Files, LinkIntoAFolderThatIsWritableByOthers) {
  const ScratchFolder folder;
  fs::create_directories(folder.path() / "open");
  fs::create_directories(folder.path() / "plugins");
  folder.plugin("good", "open/x.so");
  ASSERT_EQ(chmod((folder.path() / "open").c_str(), 0777), 0);
  fs::create_symlink("../open/x.so", folder.path() / "plugins/x.so");
  EXPECT_TRUE(problem(folder.path() / "plugins/x.so")
                  .starts_with("\"" + folder.path().string() + "/open\" has"));
}

TEST(Files, OfAStranger) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const ScratchFolder folder;
  const fs::path path = folder.plugin("good", "x.so");
  ASSERT_EQ(chown(path.c_str(), kStranger, kStranger), 0);
  EXPECT_EQ(problem(path),
            "\"" + path.string() +
                "\" belongs to user 12345, who could put code into this process; it must belong to "
                "root or to the user that runs Berth (chown it)");
}

TEST(Files, TheCopyIsSealed) {
  const ScratchFolder folder;
  const SealedFile file(folder.write("x", "bytes"));
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(file.bytes().data()), 5), "bytes");
  EXPECT_LT(pwrite(file.descriptor(), "other", 5, 0), 0);
  EXPECT_NE(ftruncate(file.descriptor(), 0), 0);
  EXPECT_EQ(file.hash().size(), 32u);
  EXPECT_NE(file.hash(), SealedFile(folder.write("y", "bytez")).hash());
}

}  // namespace
}  // namespace berth::host
