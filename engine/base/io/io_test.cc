#include "engine/base/io/io.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "engine/base/error.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string read_in_pieces(ByteSource& source, size_t piece) {
  std::string text;
  std::vector<uint8_t> buffer(piece);
  while (const size_t count = source.read(buffer))
    text.append(buffer.begin(), buffer.begin() + count);
  return text;
}

class Io : public ::testing::Test {
 protected:
  Io()
      : folder_(std::filesystem::temp_directory_path() / ("berth-io-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Io() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(Io, AFileIsWrittenAndReadAgain) {
  const std::string path = folder_ / "a";
  {
    FileSink sink(path);
    sink.write("hello ");
    sink.write("world");
  }
  FileSource source(path);
  EXPECT_EQ(source.name(), path);
  EXPECT_EQ(read_in_pieces(source, 3), "hello world");
}

TEST_F(Io, AFileThatIsThereIsEmptiedFirst) {
  const std::string path = folder_ / "a";
  std::ofstream(path) << "something longer";
  FileSink(path).write("short");
  FileSource source(path);
  EXPECT_EQ(read_all(source), "short");
}

TEST_F(Io, WhatIsWrittenCanBeReadWhileTheFileGrows) {
  const std::string path = folder_ / "a";
  FileSink sink(path);
  FileSource source(path);
  sink.write("one");
  EXPECT_EQ(read_all(source), "one");
  sink.write("two");
  EXPECT_EQ(read_all(source), "two");
}

TEST_F(Io, ErrorsNameTheFileAndTheReason) {
  const std::string missing = folder_ / "missing";
  EXPECT_EQ(message_of([&] { FileSource source(missing); }),
            missing + ": cannot be opened: No such file or directory");
  EXPECT_EQ(message_of([&] { FileSource source(folder_); }),
            folder_.string() + ": cannot be read: Is a directory");
  EXPECT_THAT(message_of([&] { FileSink sink(folder_ / "no" / "such" / "folder"); }),
              HasSubstr("cannot be opened for writing: No such file or directory"));
}

TEST_F(Io, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  FileSink sink("/dev/full");
  EXPECT_EQ(message_of([&] { sink.write("x"); }),
            "/dev/full: cannot be written: No space left on device");
}

TEST_F(Io, ADescriptorThatDoesNotWaitIsWaitedFor) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  std::thread writer([&, end = ends[1]] { FileSink(Descriptor(end), "pipe").write(text); });
  FileSource source(Descriptor(ends[0]), "pipe");
  EXPECT_EQ(read_all(source), text);
  writer.join();
}

TEST_F(Io, APipeWithoutAReaderIsAnErrorWhereTheSignalIsIgnored) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  FileSink sink(Descriptor(ends[1]), "the pipe");
  EXPECT_THAT(message_of([&] { sink.write("x"); }),
              StartsWith("the pipe: cannot be written: Broken"));
  std::signal(SIGPIPE, before);
}

TEST_F(Io, MemoryComesInPieces) {
  MemorySink sink;
  sink.write("hello");
  MemorySource source(sink.bytes(), "memory", 2);
  std::vector<uint8_t> buffer(100);
  EXPECT_EQ(source.read(buffer), 2u);
  EXPECT_EQ(read_all(source), "llo");
  EXPECT_EQ(source.read(buffer), 0u);
}

TEST_F(Io, AFileIsReadToItsEndUnlessThatIsTooMuch) {
  const std::string path = folder_ / "a";
  const std::string text(300'000, 'x');
  std::ofstream(path) << text;
  EXPECT_EQ(read_file(path), text);
  EXPECT_EQ(read_file(path, text.size()), text);
  EXPECT_EQ(message_of([&] { read_file(path, text.size() - 1); }),
            path + ": is larger than 299999 bytes, the most that is read");
}

TEST_F(Io, APipeIsReadyIfAReadWouldNotWait) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  auto writer = std::make_unique<Descriptor>(ends[1]);
  ResumedSource source({'a'}, std::make_unique<FileSource>(Descriptor(ends[0]), "pipe"));
  std::vector<uint8_t> buffer(8);
  EXPECT_TRUE(source.ready());
  EXPECT_EQ(source.read(buffer), 1u);
  EXPECT_FALSE(source.ready());
  ASSERT_EQ(::write(writer->number(), "b", 1), 1);
  EXPECT_TRUE(source.ready());
  EXPECT_EQ(source.read(buffer), 1u);
  EXPECT_FALSE(source.ready());
  writer.reset();
  EXPECT_TRUE(source.ready());  // to say that it ends
  EXPECT_EQ(source.read(buffer), 0u);
  const std::string path = folder_ / "file";
  std::ofstream(path) << "x";
  EXPECT_TRUE(FileSource(path).ready());
}

TEST_F(Io, AResumedSourceBeginsWithWhatWasReadAlready) {
  MemorySink sink;
  sink.write(" world");
  ResumedSource source({'h', 'e', 'l', 'l', 'o'},
                       std::make_unique<MemorySource>(sink.bytes(), "memory"));
  EXPECT_EQ(source.name(), "memory");
  EXPECT_EQ(read_in_pieces(source, 2), "hello world");
}

}  // namespace
}  // namespace berth
