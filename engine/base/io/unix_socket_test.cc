#include "engine/base/io/unix_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/base/error.h"

namespace berth {
namespace {

class UnixSocket : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "berth-socket-" + std::to_string(::getpid());
    ASSERT_EQ(::mkdir(folder_.c_str(), 0700), 0);
    path_ = folder_ + "/socket";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string problem(const std::string& path) {
    try {
      UnixListener listener(path, "unix:" + path);
    } catch (const Error& error) {
      return error.message();
    }
    return {};
  }

  std::string problem_of_connecting() {
    try {
      connect_unix_socket(path_, "there");
    } catch (const Error& error) {
      return error.message();
    }
    return {};
  }

  // As a listener that was killed leaves it.
  void abandon() const {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
    ASSERT_EQ(::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
              0);
  }

  std::string folder_, path_;
};

TEST_F(UnixSocket, IsNamedByItsPrefix) {
  EXPECT_EQ(unix_socket_path("unix:/run/x"), "/run/x");
  EXPECT_EQ(unix_socket_path("/run/x"), std::nullopt);
}

TEST_F(UnixSocket, CarriesBytesToWhoConnects) {
  UnixListener listener(path_, "listener");
  FileSink sink(connect_unix_socket(path_, "there"), "there");
  std::optional<Descriptor> connection = listener.accept([] { return false; });
  ASSERT_TRUE(connection.has_value());
  sink.write(std::string_view("hello"));
  FileSource source(std::move(*connection), "here");
  uint8_t bytes[16];
  ASSERT_EQ(source.read(bytes), 5u);
  EXPECT_EQ(std::string(bytes, bytes + 5), "hello");
}

TEST_F(UnixSocket, IsForItsUserAloneAndGoesWithTheListener) {
  {
    UnixListener listener(path_, "listener");
    struct stat status = {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(UnixSocket, WaitsUntilItIsToldToStop) {
  UnixListener listener(path_, "listener");
  int asked = 0;
  EXPECT_FALSE(listener.accept([&] { return ++asked == 3; }).has_value());
}

TEST_F(UnixSocket, SaysWhyNobodyListens) {
  EXPECT_NE(problem_of_connecting().find("there is no such socket"), std::string::npos);
  abandon();
  EXPECT_NE(problem_of_connecting().find("ended without removing it"), std::string::npos);
}

TEST_F(UnixSocket, TakesThePlaceOfAnAbandonedSocketAlone) {
  abandon();
  UnixListener listener(path_, "listener");
  EXPECT_NE(problem(path_).find("something at this path already"), std::string::npos);
  FileSink sink(connect_unix_socket(path_, "there"), "there");
  EXPECT_TRUE(listener.accept([] { return false; }).has_value());
}

TEST_F(UnixSocket, SaysWhyItCannotBe) {
  std::ofstream(path_) << "kept";
  EXPECT_EQ(problem(path_),
            "there is something at this path already: remove it, or choose another");
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_NE(problem(folder_ + "/none/socket").find("No such file"), std::string::npos);
  EXPECT_NE(problem(folder_ + "/" + std::string(200, 'x')).find("1 to 107 bytes"),
            std::string::npos);
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  EXPECT_NE(problem(folder_ + "/other").find("others may write"), std::string::npos);
  EXPECT_THROW(connect_unix_socket(folder_ + "/nobody", "nobody"), Error);
}

}  // namespace
}  // namespace berth
