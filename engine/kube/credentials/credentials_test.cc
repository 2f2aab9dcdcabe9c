#include "engine/kube/credentials/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/kube/config/testing.h"

namespace berth::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

Command shell(const std::string& script) {
  return {{"sh", "-c", script}, {{"ADDED", "a b"}}, false, seconds(20), 1000};
}

TEST(Command, GivesWhatIsPrinted) {
  EXPECT_EQ(output_of(shell(R"(printf %s "$ADDED"; cat; echo .)")), "a b.\n");
  // Nothing that it starts is waited for.
  EXPECT_EQ(output_of(shell("echo 1; sleep 5 & echo 2")), "1\n2\n");
  EXPECT_EQ(output_of(shell("exec >&-; true")), "");
  // A descriptor of this process is not passed.
  const Descriptor own(::eventfd(0, 0));
  EXPECT_EQ(output_of(shell("[ -e /proc/$$/fd/" + std::to_string(own.number()) + " ] || echo no")),
            "no\n");
}

TEST(Command, IsNoShell) {
  Command command = shell("");
  command.words = {"printf", "%s|", "$HOME", "a b", ";", "*"};
  EXPECT_EQ(output_of(command), "$HOME|a b|;|*|");
  command.words = {"no-such-program-of-berth"};
  EXPECT_THROW(output_of(command), MissingCommand);
}

TEST(Command, SaysHowItFailed) {
  EXPECT_EQ(error_of([] { output_of(shell("exit 3")); }), "ended with status 3");
  EXPECT_EQ(error_of([] { output_of(shell("kill -9 $$")); }), "was ended by signal 9 (Killed)");
  EXPECT_THAT(error_of([] { output_of(shell("yes")); }), StartsWith("prints more than 1,000"));
  Command slow = shell("sleep 1000");
  slow.limit = milliseconds(50);
  EXPECT_EQ(error_of([&] { output_of(slow); }), "did not end within 50 ms");
  const Descriptor stop(::eventfd(1, EFD_CLOEXEC));
  EXPECT_EQ(error_of([&] { output_of(shell("sleep 1000"), stop.number()); }), "was stopped");
}

std::string credential_text(const std::string& status) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" +
         status + "}";
}

std::string fault_of(const std::string& text) {
  return error_of([&] { parse_exec_credential(text, kV1); });
}

TEST(ExecCredential, IsRead) {
  const Credential token = parse_exec_credential(
      credential_text(R"({"token":"t","expirationTimestamp":"1970-01-01T00:00:02Z"})"), kV1);
  EXPECT_EQ(token.token, "t");
  EXPECT_EQ(token.expires, 2'000'000'000);
  const Credential both = parse_exec_credential(
      credential_text(
          R"({"token":null,"clientCertificateData":"c\n","clientKeyData":"k\n","more":1})"),
      kV1);
  EXPECT_EQ(both.token, "");
  EXPECT_EQ(both.certificate, "c\n");
  EXPECT_EQ(both.key, "k\n");
  EXPECT_EQ(both.expires, std::nullopt);
}

TEST(ExecCredential, SaysWhatIsWrongButNoSecret) {
  EXPECT_EQ(fault_of(""), "standard output is not one JSON object");
  EXPECT_EQ(fault_of("{secret"), "standard output is not one JSON object");
  EXPECT_EQ(fault_of("{} {}"), "standard output is not one JSON object");
  EXPECT_THAT(fault_of("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(fault_of("{}"), HasSubstr("expected \"client.authentication.k8s.io/v1\""));
  EXPECT_THAT(error_of([] {
                parse_exec_credential(credential_text("{}"),
                                      "client.authentication.k8s.io/v1beta1");
              }),
              HasSubstr("/v1\" \"ExecCredential\"; expected"));
  EXPECT_EQ(fault_of(credential_text("null")), "printed no status");
  EXPECT_THAT(fault_of(credential_text("{}")), HasSubstr("neither a token nor"));
  EXPECT_THAT(fault_of(credential_text(R"({"clientKeyData":"secret"})")), HasSubstr("a key alone"));
  EXPECT_THAT(fault_of(credential_text(R"({"token":"a\nb"})")), HasSubstr("status.token"));
  EXPECT_THAT(fault_of(credential_text(R"({"token":"t","expirationTimestamp":"soon"})")),
              HasSubstr("\"soon\" is no time"));
}

Connection with_plugin_script(const std::string& script) {
  Connection connection;
  connection.server = "https://kube.test:6443";
  connection.exec.emplace();
  connection.exec->api_version = kV1;
  connection.exec->command = "sh";
  connection.exec->args = {"-c", script};
  return connection;
}

TEST(ExecCredential, ThePluginIsToldWhatItMayKnow) {
  Connection connection = with_plugin_script("");
  EXPECT_EQ(exec_info(connection, true),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"interactive":true}})");
  connection.exec->provide_cluster_info = true;
  EXPECT_THAT(exec_info(connection, false), HasSubstr(R"("spec":{"interactive":false,"cluster":)"
                                                      R"({"server":"https://kube.test:6443"}}})"));
  const TestFolder folder;
  connection.ca.file = folder.write("ca", "PEM\n");
  connection.tls_server_name = "name";
  connection.proxy_url = "http://proxy";
  connection.compression = false;
  const std::string rest = R"(,"certificate-authority-data":"UEVNCg==","proxy-url":"http://proxy",)"
                           R"("disable-compression":true}}})";
  EXPECT_THAT(exec_info(connection, false), HasSubstr(R"(","tls-server-name":"name")" + rest));
  connection.ca = {};
  connection.insecure = true;
  EXPECT_THAT(exec_info(connection, false), HasSubstr(R"("insecure-skip-tls-verify":true,"proxy)"));
}

TEST(ExecCredential, ThePluginRuns) {
  Connection connection =
      with_plugin_script(R"([ "$KUBERNETES_EXEC_INFO" = "$WANTED" ] && echo ')" +
                         credential_text(R"({"token":"t"})") + "'");
  connection.exec->interactive = ExecPlugin::Interactive::kNever;
  connection.exec->env = {{"WANTED", exec_info(connection, false)}};
  EXPECT_EQ(run_exec_plugin(connection).token, "t");
  connection.exec->env.clear();
  EXPECT_EQ(error_of([&] { run_exec_plugin(connection); }),
            "exec plugin \"sh\": ended with status 1");
}

// Time is what the test says.
class TestLoop : public Loop {
 public:
  Time now() const override { return now_; }
  int64_t wall() const override { return wall_; }
  uint64_t at(Time, std::function<void()>) override { return 1; }
  void cancel(uint64_t) override {}

  Time now_{};
  int64_t wall_ = 0;
};

TEST(Credentials, AFileIsReadOnceAMinute) {
  const TestFolder folder;
  TestLoop loop;
  Connection connection;
  connection.token_file = folder.write("token", " one \n");
  connection.token = "none";
  Credentials credentials(connection, loop, nullptr, nullptr);
  const auto token = [&] { return credentials.current()->token; };
  EXPECT_EQ(token(), "one");
  folder.write("token", "two");
  loop.now_ = seconds(60) - Time(1);
  EXPECT_EQ(token(), "one");
  loop.now_ = seconds(60);
  EXPECT_EQ(token(), "two");
  std::filesystem::remove(folder.at("token"));
  loop.now_ = seconds(120);
  EXPECT_EQ(token(), "two");
  credentials.refused(nullptr);  // another one
  EXPECT_EQ(token(), "two");
  credentials.refused(credentials.current().get());
  EXPECT_THAT(error_of(token), HasSubstr("token: cannot be opened"));
}

// Runs what is posted on the thread of the test.
class PluginCredentials : public testing::Test {
 protected:
  std::shared_ptr<const Credential> fetch(Credentials& credentials) {
    EXPECT_EQ(credentials.current(), nullptr);
    EXPECT_EQ(credentials.current(), nullptr);  // waits for the same run
    uint64_t count = 0;
    EXPECT_EQ(::read(posted_.number(), &count, sizeof count), static_cast<ssize_t>(sizeof count));
    function_();
    return std::exchange(fetched_, nullptr);
  }
  Credentials::Post post() {
    return [this](std::function<void()> function) {
      function_ = std::move(function);
      const uint64_t once = 1;
      EXPECT_EQ(::write(posted_.number(), &once, sizeof once), static_cast<ssize_t>(sizeof once));
    };
  }
  Credentials::Fetched fetched() {
    return [this](std::shared_ptr<const Credential> made, const std::string& fault) {
      fetched_ = std::move(made);
      fault_ = fault;
    };
  }

  TestLoop loop_;
  Descriptor posted_{::eventfd(0, EFD_CLOEXEC)};
  std::function<void()> function_;
  std::shared_ptr<const Credential> fetched_;
  std::string fault_;
};

TEST_F(PluginCredentials, AreFetchedAgainAfterTheyExpired) {
  const TestFolder folder;
  const Connection connection =
      with_plugin_script("cd '" + folder.at("") + "'; echo >>runs; echo '" +
                         credential_text(R"({"token":"t","expirationTimestamp":)"
                                         R"("1970-01-01T00:00:02Z"})") +
                         "'");
  Credentials credentials(connection, loop_, post(), fetched());
  const std::shared_ptr<const Credential> first = fetch(credentials);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->token, "t");
  loop_.wall_ = 1'999'999'999;
  EXPECT_EQ(credentials.current(), first);
  loop_.wall_ = 2'000'000'000;
  const std::shared_ptr<const Credential> second = fetch(credentials);
  EXPECT_NE(second, first);
  loop_.wall_ = 0;
  credentials.refused(first.get());  // no longer used
  EXPECT_EQ(credentials.current(), second);
  credentials.refused(second.get());
  EXPECT_NE(fetch(credentials), nullptr);
  EXPECT_EQ(read_file(folder.at("runs")), "\n\n\n");
}

TEST_F(PluginCredentials, AFaultIsToldAndTheNextRequestTriesAgain) {
  const TestFolder folder;
  const Connection connection = with_plugin_script("[ -f '" + folder.at("token") + "' ] && echo '" +
                                                   credential_text(R"({"token":"t"})") + "'");
  Credentials credentials(connection, loop_, post(), fetched());
  EXPECT_EQ(fetch(credentials), nullptr);
  EXPECT_EQ(fault_, "exec plugin \"sh\": ended with status 1");
  folder.write("token", "");
  ASSERT_NE(fetch(credentials), nullptr);
  EXPECT_EQ(fault_, "");
}

TEST_F(PluginCredentials, GiveWayToThoseOfTheConnection) {
  Connection connection = with_plugin_script("exit 1");
  connection.token = "own";
  Credentials credentials(connection, loop_, post(), fetched());
  EXPECT_EQ(credentials.current()->token, "own");
}

}  // namespace
}  // namespace berth::kube
