// Whom a server sees.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/io/io.h"
#include "engine/kube/config/testing.h"
#include "engine/kube/http/network.h"
#include "engine/kube/http/testing/client.h"
#include "engine/kube/http/testing/test_server.h"

namespace berth::kube {
namespace {

using Fate = Answer::Fate;
using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(NetworkCredentials, SaysWhoAsks) {
  TestServer server(echo);
  Connection connection = connection_to(server.url());
  connection.username = "me";
  connection.password = "a:b";
  connection.impersonation = {
      .user = "jane", .uid = "u-1", .groups = {"dev", "ops"}, .extra = {{"a/b c", {"1", ""}}}};
  const std::string basic = TestClient(connection).ask(get("/")).body;
  EXPECT_EQ(header_in(basic, "Authorization"), "Basic bWU6YTpi");
  EXPECT_THAT(basic, HasSubstr("Impersonate-User: jane\r\nImpersonate-Uid: u-1\r\n"
                               "Impersonate-Group: dev\r\nImpersonate-Group: ops\r\n"
                               "Impersonate-Extra-a%2Fb%20c: 1\r\n"
                               "Impersonate-Extra-a%2Fb%20c:"));
  connection = connection_to(server.url());
  connection.token = "t-1";
  const std::string token = TestClient(connection).ask(get("/")).body;
  EXPECT_EQ(header_in(token, "Authorization"), "Bearer t-1");
}

// Answers 401 unless the token is "new".
void require_new_token(Peer& peer, const std::string& request) {
  const std::string shown = header_in(request, "Authorization");
  peer.answer(shown, shown == "Bearer new" ? "200 OK" : "401 Unauthorized");
}

TEST(NetworkCredentials, ATokenIsReadAgainAfterItWasRefused) {
  TestServer server(each_request(require_new_token));
  const TestFolder folder;
  Connection connection = connection_to(server.url());
  connection.token_file = folder.write("token", "old\n");
  TestClient client(connection);
  EXPECT_EQ(client.ask(get("/")).body, "Bearer old");
  folder.write("token", "new\n");
  EXPECT_EQ(client.ask(get("/")).body, "Bearer new");
  folder.write("token", "other");
  EXPECT_EQ(client.ask(get("/")).body, "Bearer new");
}

TEST(NetworkCredentials, WithoutATokenNothingIsSent) {
  TestServer server(echo);
  const TestFolder folder;
  Connection connection = connection_to(server.url());
  connection.token_file = folder.at("token");
  TestClient client(connection);
  const Answer answer = client.ask(get("/"));
  EXPECT_EQ(answer.fate, Fate::kNotSent);
  EXPECT_THAT(answer.error, HasSubstr("token: cannot be opened"));
  EXPECT_EQ(server.connections(), 0);
  folder.write("token", "a\nb");
  EXPECT_THAT(client.ask(get("/")).error, HasSubstr("expected a token on one line"));
}

// A program that prints "old" at first, and "new" from the second time on.
Connection with_plugin(const std::string& server, const TestFolder& folder) {
  Connection connection = connection_to(server);
  connection.exec.emplace();
  connection.exec->api_version = "client.authentication.k8s.io/v1";
  connection.exec->command = "sh";
  connection.exec->args = {
      "-c", "cd '" + folder.at("") + "'; echo >>runs; [ -f once ] && t=new || t=old; >once; " +
                R"(echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
                R"("status":{"token":"'$t'"}}')"};
  return connection;
}

TEST(NetworkCredentials, RequestsWaitForAPluginWhichRunsAgainAfterARefusal) {
  TestServer server(each_request(require_new_token));
  const TestFolder folder;
  TestClient client(with_plugin(server.url(), folder));
  int ended = 0;
  for (int i = 0; i < 3; ++i)
    client.send(get("/"), [&](Answer answer) {
      EXPECT_EQ(answer.body, "Bearer old");
      if (++ended == 3) client.stop();
    });
  const uint64_t none = client.send(get("/"), [](Answer) { ADD_FAILURE(); });
  client.post([&] { client.cancel(none); });
  client.run_to_stop();
  EXPECT_EQ(client.ask(get("/")).body, "Bearer new");
  EXPECT_EQ(client.ask(get("/")).body, "Bearer new");
  EXPECT_EQ(read_file(folder.at("runs")), "\n\n");
}

TEST(NetworkCredentials, WithoutAPluginNothingIsSent) {
  TestServer server(echo);
  const TestFolder folder;
  Connection connection = with_plugin(server.url(), folder);
  connection.exec->command = folder.at("absent");
  connection.exec->install_hint = "apt install it";
  TestClient client(connection);
  const Answer answer = client.ask(get("/"));
  EXPECT_EQ(answer.fate, Fate::kNotSent);
  EXPECT_THAT(answer.error, HasSubstr("there is no such program"));
  EXPECT_THAT(answer.error, HasSubstr("apt install it"));
  EXPECT_EQ(server.connections(), 0);
}

TEST(NetworkCredentials, APluginThatHangsDoesNotHoldTheEnd) {
  const TestFolder folder;
  Connection connection = with_plugin("http://127.0.0.1:1", folder);
  connection.exec->args = {"-c", "sleep 1000"};
  TestClient client(connection);
  client.send(get("/"), [](Answer) { ADD_FAILURE(); });
  client.after(milliseconds(20), [&] { client.stop(); });
  client.run_to_stop();
}

}  // namespace
}  // namespace berth::kube
