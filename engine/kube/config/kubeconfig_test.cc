#include "engine/kube/config/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "engine/kube/config/testing.h"

namespace berth::kube {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr std::string_view kKind = R"(apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: Y2E=
    server: https://127.0.0.1:38491
  name: kind-kind
contexts:
- context:
    cluster: kind-kind
    user: kind-kind
  name: kind-kind
current-context: kind-kind
kind: Config
preferences: {}
users:
- name: kind-kind
  user:
    client-certificate-data: Y2VydA==
    client-key-data: a2V5
)";

class KubeconfigTest : public testing::Test {
 protected:
  Kubeconfig read(std::string_view text) const {
    return Kubeconfig::read(folder_.write("config", text));
  }
  Connection connection(std::string_view text, std::string_view context = {}) const {
    return read(text).connection(context);
  }
  // Without the name of the file.
  std::string fault(std::string_view text, std::string_view context = {}) const {
    std::string error = error_of([&] { connection(text, context); });
    if (error.starts_with(folder_.at("config"))) error.erase(0, folder_.at("config").size() + 1);
    return error;
  }
  // A file with one context, and these members of its cluster and its user, as JSON.
  static std::string with(std::string cluster, std::string user = "") {
    return R"({"current-context": "c", "contexts": [{"name": "c", "context": )"
           R"({"cluster": "k", "user": "u"}}],)"
           "\n"
           R"("clusters": [{"name": "k", "cluster": {)" +
           cluster + "}}],\n" + R"("users": [{"name": "u", "user": {)" + user + "}}]}";
  }
  static std::string with_user(std::string user) {
    return with(R"("server": "https://k")", std::move(user));
  }

  TestFolder folder_;
};

TEST_F(KubeconfigTest, OfKind) {
  const Kubeconfig config = read(kKind);
  EXPECT_THAT(config.remarks(), IsEmpty());
  const Connection to = config.connection();
  EXPECT_EQ(to.server, "https://127.0.0.1:38491");
  EXPECT_EQ(to.namespace_name, "default");
  EXPECT_EQ(to.ca.data, "ca");
  EXPECT_EQ(to.certificate.data, "cert");
  EXPECT_EQ(to.key.data, "key");
  EXPECT_TRUE(to.compression);
  EXPECT_FALSE(to.insecure);
  EXPECT_FALSE(to.exec);
}

// A kubelet's, as kubeadm writes it, but for relative paths.
TEST_F(KubeconfigTest, OfKubeadmWithFiles) {
  folder_.write("pki/ca.crt", "ca");
  folder_.write("pki/current.pem", "both");
  const Connection to = connection(R"(
apiVersion: v1
kind: Config
clusters:
- name: default-cluster
  cluster: {server: "https://10.0.0.1:6443/", certificate-authority: pki/x/../ca.crt}
contexts:
- name: default-context
  context: {cluster: default-cluster, user: default-auth, namespace: batch}
current-context: default-context
users:
- name: default-auth
  user:
    client-certificate: ./pki/current.pem
    client-key: )" + folder_.at("pki/current.pem") +
                                   "\n");
  EXPECT_EQ(to.server, "https://10.0.0.1:6443");
  EXPECT_EQ(to.namespace_name, "batch");
  EXPECT_EQ(to.ca.file, folder_.at("pki/ca.crt"));
  EXPECT_EQ(to.certificate.file, folder_.at("pki/current.pem"));
  EXPECT_EQ(to.key.file, folder_.at("pki/current.pem"));
}

TEST_F(KubeconfigTest, OfEks) {
  const Connection to = connection(R"(
clusters:
- cluster: {server: "https://ABC.gr7.eu-west-1.eks.amazonaws.com", certificate-authority-data: Y2E=}
  name: arn:aws:eks:eu-west-1:123456789012:cluster/prod
contexts:
- context:
    cluster: arn:aws:eks:eu-west-1:123456789012:cluster/prod
    user: arn:aws:eks:eu-west-1:123456789012:cluster/prod
  name: prod
users:
- name: arn:aws:eks:eu-west-1:123456789012:cluster/prod
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      args: [--region, eu-west-1, eks, get-token]
      command: aws
      env:
      - name: AWS_PROFILE
        value: prod
      provideClusterInfo: false
      installHint: "Install\nit"
)",
                                   "prod");
  ASSERT_TRUE(to.exec);
  EXPECT_EQ(to.exec->api_version, "client.authentication.k8s.io/v1beta1");
  EXPECT_EQ(to.exec->command, "aws");
  EXPECT_THAT(to.exec->args, ElementsAre("--region", "eu-west-1", "eks", "get-token"));
  EXPECT_THAT(to.exec->env, ElementsAre(Pair("AWS_PROFILE", "prod")));
  EXPECT_EQ(to.exec->interactive, ExecPlugin::Interactive::kIfAvailable);
  EXPECT_EQ(to.exec->install_hint, "Install\nit");
  EXPECT_FALSE(to.exec->provide_cluster_info);
}

TEST_F(KubeconfigTest, Exec) {
  const auto exec = [](const std::string& more) {
    return with_user(R"("exec": {"command": "bin/login", "args": null, "env": null)" + more + "}");
  };
  const std::string v1 = R"(, "apiVersion": "client.authentication.k8s.io/v1")";
  const Connection to =
      connection(exec(v1 + R"(, "interactiveMode": "Never", "provideClusterInfo": true)"));
  EXPECT_EQ(to.exec->command, folder_.at("bin/login"));
  EXPECT_EQ(to.exec->interactive, ExecPlugin::Interactive::kNever);
  EXPECT_TRUE(to.exec->provide_cluster_info);
  EXPECT_THAT(fault(exec(v1)), HasSubstr("interactiveMode is \"\"; expected Never, IfAvailable"));
  EXPECT_THAT(fault(exec(v1 + R"(, "interactiveMode": "never")")),
              HasSubstr("users[0].user.exec.interactiveMode: interactiveMode is \"never\""));
  EXPECT_THAT(fault(exec("")),
              HasSubstr("users[0].user.exec: apiVersion is \"\"; expected client"));
  EXPECT_THAT(fault(exec(R"(, "apiVersion": "client.authentication.k8s.io/v1alpha1")")),
              HasSubstr("expected client.authentication.k8s.io/v1 or v1beta1"));
  EXPECT_THAT(fault(with_user(R"("exec": {})")), HasSubstr("command is not set"));
  EXPECT_THAT(fault(with_user(R"("exec": {"command": "a",)"
                              R"("apiVersion": "client.authentication.k8s.io/v1beta1",)"
                              R"("env": [{"value": "x"}]})")),
              HasSubstr("exec.env[0]: a variable of the environment needs a name"));
}

TEST_F(KubeconfigTest, TokensAndImpersonation) {
  folder_.write("token", "t");
  const std::string user =
      R"("token": "abc", "tokenFile": "token", "as": "jane", "as-uid": "7",)"
      R"("as-groups": ["dev", "ops"], "as-user-extra": {"scopes": ["view", "edit"]})";
  const Connection to = connection(with_user(user));
  EXPECT_EQ(to.token, "abc");
  EXPECT_EQ(to.token_file, folder_.at("token"));
  EXPECT_EQ(to.impersonation.user, "jane");
  EXPECT_EQ(to.impersonation.uid, "7");
  EXPECT_THAT(to.impersonation.groups, ElementsAre("dev", "ops"));
  EXPECT_THAT(to.impersonation.extra, ElementsAre(Pair("scopes", ElementsAre("view", "edit"))));
  // Credentials are not sent where everybody can read them.
  const Connection plain = connection(with(R"("server": "localhost:8001")", user));
  EXPECT_EQ(plain.server, "http://localhost:8001");
  EXPECT_EQ(plain.token + plain.token_file, "");
  EXPECT_EQ(plain.impersonation.user, "jane");
}

TEST_F(KubeconfigTest, SettingsOfTheCluster) {
  const Connection to = connection(
      with(R"("server": "https://[fd00::1]:6443/k8s//", "tls-server-name": "kubernetes",)"
           R"("insecure-skip-tls-verify": true, "proxy-url": "socks5://localhost:1080",)"
           R"("disable-compression": true)",
           R"("username": "u", "password": "p")"));
  EXPECT_EQ(to.server, "https://[fd00::1]:6443/k8s");
  EXPECT_EQ(to.tls_server_name, "kubernetes");
  EXPECT_TRUE(to.insecure);
  EXPECT_EQ(to.proxy_url, "socks5://localhost:1080");
  EXPECT_FALSE(to.compression);
  EXPECT_EQ(to.username + "/" + to.password, "u/p");
}

TEST_F(KubeconfigTest, AContextWithoutAUserIsAnonymous) {
  const Connection to = connection(
      "contexts: [{name: c, context: {cluster: k}}]\ncurrent-context: c\n"
      "clusters: [{name: k, cluster: {server: \"http://localhost:8001\"}}]\n");
  EXPECT_EQ(to.server, "http://localhost:8001");
}

TEST_F(KubeconfigTest, ErrorsOfContexts) {
  EXPECT_THAT(fault(""), AllOf(HasSubstr("no kubeconfig: "), HasSubstr("set KUBECONFIG")));
  EXPECT_EQ(fault("contexts: [{name: a}, {name: b}]"),
            " current-context: no context is chosen; expected \"a\", \"b\"");
  EXPECT_EQ(fault("current-context: x\ncontexts: [{name: a}]"),
            "1:18: current-context: there is no context \"x\"; expected \"a\"");
  EXPECT_EQ(fault(kKind, "x"), "there is no context \"x\"; expected \"kind-kind\"");
  EXPECT_EQ(fault("contexts: [{name: a}]", "a"),
            "1:12: contexts[0]: the context names no cluster; there is none");
  const std::string context = "contexts: [{name: a, context: {cluster: k, user: u";
  EXPECT_THAT(fault(context + "}}]", "a"),
              EndsWith("contexts[0].context.cluster: there is no cluster \"k\"; there is none"));
  EXPECT_THAT(fault(context + "}}]\nclusters: [{name: k}]", "a"),
              EndsWith("clusters[0]: the cluster \"k\" has no server; expected its URL"));
  EXPECT_THAT(fault(context + "}}]\nclusters: [{name: k, cluster: {server: \"https://k\"}}]", "a"),
              EndsWith("contexts[0].context.user: there is no user \"u\"; there is none"));
  EXPECT_THAT(fault(context + ", namespace: A/b}}]", "a"),
              EndsWith("contexts[0].context.namespace: \"A/b\" cannot be a namespace"));
}

TEST_F(KubeconfigTest, ErrorsOfClusters) {
  const std::string server = R"("server": "https://k", )";
  for (const char* url : {"ftp://k", "https://", "https:///k", "https://:443", "https://u:p@k",
                          "https://k?x=1", "https://k/#x", "https://a b", "https://k\\n"})
    EXPECT_THAT(fault(with(R"("server": ")" + std::string(url) + "\"")),
                AllOf(HasSubstr("clusters[0].cluster.server: "), HasSubstr("https://HOST[:PORT]"),
                      Not(HasSubstr("u:p"))))
        << url;
  EXPECT_THAT(fault(with(server + R"("proxy-url": "ftp://p")")), HasSubstr("socks5://"));
  EXPECT_THAT(fault(with(server + R"("certificate-authority": "no.crt")")),
              HasSubstr("clusters[0].cluster.certificate-authority: the file \"" +
                        folder_.at("no.crt") + "\" cannot be opened: No such file"));
  folder_.write("ca.crt", "ca");
  EXPECT_THAT(fault(with(server + R"("certificate-authority": "ca.crt",)"
                                  R"("certificate-authority-data": "Y2E=")")),
              HasSubstr("certificate-authority and certificate-authority-data are both there"));
  EXPECT_THAT(fault(with(server + R"("certificate-authority-data": "Y2E=",)"
                                  R"("insecure-skip-tls-verify": true)")),
              HasSubstr("insecure-skip-tls-verify: a certificate authority has no effect"));
}

TEST_F(KubeconfigTest, ErrorsOfUsers) {
  for (const auto& [user, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {R"("auth-provider": {"name": "gcp"})", "users[0].user.auth-provider: auth-provider is"},
           {R"("client-certificate-data": "Y2VydA==")", "a client certificate without its key"},
           {R"("token": "s3cret", "username": "u")", "a token and a username or password"},
           {R"("tokenFile": "no")", "users[0].user.tokenFile: the file \""},
           {R"("as-groups": ["g"])", "need a user to impersonate; set as"},
           {R"("token": "s3cret\r\nX: y")", "users[0].user.token: has a line break"},
           {R"("client-key-data": "s3cret!")", "users[0].user.client-key-data: is not base64"},
           {R"("client-key-data": "-----BEGIN")", "is not base64; a PEM file has to be encoded"}})
    EXPECT_THAT(fault(with_user(user)), AllOf(HasSubstr(message), Not(HasSubstr("s3cret"))));
  // Of a user that is not used only the types count.
  EXPECT_EQ(fault(std::string(kKind) + "- {name: x, user: {auth-provider: {name: gcp}}}\n"), "");
  EXPECT_THAT(fault(std::string(kKind) + "- {name: x, user: {token: 5}}\n"),
              HasSubstr("users[1].user.token: expected a string, not a number; put it in quotes"));
}

TEST_F(KubeconfigTest, WrongTypes) {
  EXPECT_EQ(fault("clusters:\n- name: a\n  cluster:\n    server: 5\n"),
            "4:13: clusters[0].cluster.server: expected a string, not a number; put it in quotes");
  EXPECT_THAT(fault("hello"), HasSubstr("expected an object, not a string"));
  EXPECT_THAT(fault("clusters: {a: {}}"), HasSubstr("clusters: expected a list, not an object"));
  EXPECT_THAT(fault("users: [[]]"), HasSubstr("users[0]: expected an object, not a list"));
  EXPECT_THAT(fault("kind: Pod"), HasSubstr("\"Pod\" is no kubeconfig; expected Config"));
  EXPECT_THAT(fault("apiVersion: v2"), HasSubstr("\"v2\" is not known; expected v1"));
  EXPECT_THAT(fault(with(R"("insecure-skip-tls-verify": "yes")")),
              HasSubstr("expected true or false, not a string"));
  EXPECT_THAT(fault(with_user(R"("as-groups": [1])")),
              HasSubstr("as-groups[0]: expected a string"));
}

TEST_F(KubeconfigTest, Duplicates) {
  EXPECT_THAT(fault("clusters: [{name: a}, {name: a}]"),
              HasSubstr("clusters[1]: a second cluster with the name \"a\"; remove either"));
  EXPECT_NE(fault("users: []\nusers: []\n"), "");
  EXPECT_NE(fault(R"({"users": [], "users": []})"), "");
  EXPECT_THAT(fault("kind: Config\n---\nkind: Config\n"), HasSubstr("only one"));
}

TEST_F(KubeconfigTest, HostileInput) {
  const std::string deep(100'000, '[');
  for (const std::string& text :
       {deep, "clusters: " + deep, R"({"users": )" + deep, std::string("\x1f\x8b\x08\0\0\0", 6),
        std::string("\x7f"
                    "ELF\x02\x01\x01\0\0",
                    9),
        std::string("a: \"\xff\xfe\""), std::string("a: &a [*a, *a]"),
        std::string("{\"users\": [")})
    EXPECT_NE(fault(text), "") << text.substr(0, 20);
  EXPECT_THAT(fault(std::string(Kubeconfig::kMostBytes + 1, ' ')), Not(IsEmpty()));
  // Every beginning of a file is read or refused.
  for (size_t size = 0; size < kKind.size(); ++size)
    static_cast<void>(fault(kKind.substr(0, size)));
}

TEST_F(KubeconfigTest, UnknownFieldsAreRemarks) {
  std::string text(kKind);
  for (const char* name : {"b", "c"})
    text += "- {name: " + std::string(name) + ", user: {tokn: x, extensions: []}}\n";
  const Kubeconfig config = read(text + "colour: blue\n");
  ASSERT_EQ(config.remarks().size(), 2);
  EXPECT_THAT(
      config.remarks()[0].what(),
      EndsWith(":20:20: users[].user.tokn: not a field of a kubeconfig, so it has no effect; "
               "did you mean token?"));
  EXPECT_THAT(config.remarks()[1].what(),
              EndsWith(" colour: not a field of a kubeconfig, so it has "
                       "no effect"));
  EXPECT_EQ(config.connection().key.data, "key");
}

TEST_F(KubeconfigTest, TheFirstFileCounts) {
  const std::string one =
      folder_.write("one/config",
                    "clusters: [{name: k, cluster: {server: \"https://one\"}}]\n"
                    "contexts: [{name: c, context: {cluster: k, user: u}}]\n");
  const std::string two = folder_.write(
      "two/config",
      "clusters: [{name: k, cluster: {server: \"https://two\", tls-server-name: x}}]\n"
      "current-context: c\nusers: [{name: u, user: {tokenFile: token}}]\n");
  const std::string three = folder_.write("three", "current-context: d\n");
  folder_.write("two/token", "t");
  const Connection to =
      Kubeconfig::merge({folder_.at("no"), one, two, folder_.at("none"), three}).connection();
  EXPECT_EQ(to.server, "https://one");
  EXPECT_EQ(to.tls_server_name, "");
  EXPECT_EQ(to.token_file, folder_.at("two/token"));
}

TEST_F(KubeconfigTest, OnlyAFileThatIsAskedForHasToExist) {
  EXPECT_THAT(error_of([&] { Kubeconfig::read(folder_.at("no")); }),
              HasSubstr("cannot be opened: No such file"));
  const Kubeconfig none = Kubeconfig::merge({folder_.at("no")});
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(error_of([&] { none.connection(); }),
            "no kubeconfig: \"" + folder_.at("no") +
                "\" do not exist or are empty; set KUBECONFIG, or name a file");
  EXPECT_FALSE(read(kKind).empty());
  EXPECT_TRUE(read("apiVersion: v1\nclusters: null\nusers: []\n").empty());
}

TEST(KubeconfigPaths, ComeFromTheEnvironment) {
  EXPECT_THAT(kubeconfig_paths("a:/b::a:c", "/home/x"), ElementsAre("a", "/b", "c"));
  EXPECT_THAT(kubeconfig_paths(nullptr, "/home/x"), ElementsAre("/home/x/.kube/config"));
  EXPECT_THAT(kubeconfig_paths("", "/home/x"), ElementsAre("/home/x/.kube/config"));
  EXPECT_THAT(kubeconfig_paths(nullptr, nullptr), IsEmpty());
}

}  // namespace
}  // namespace berth::kube
