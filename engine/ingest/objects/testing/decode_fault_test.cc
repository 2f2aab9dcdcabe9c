// Decoding of single objects: faults of fields.

#include <gtest/gtest.h>

#include <string>

#include "engine/ingest/objects/objects_for_tests.h"

namespace berth::ingest {
namespace {

Texts pod_errors(std::string_view text) {
  Decoded<model::Pod> decoded(decode_pod, text, Defaults::kNone);
  EXPECT_EQ(decoded.object.has_value(), decoded.errors.empty());
  return decoded.errors;
}

Texts node_errors(std::string_view text) {
  Decoded<model::Node> decoded(decode_node, text, Defaults::kNone);
  EXPECT_EQ(decoded.object.has_value(), decoded.errors.empty());
  return decoded.errors;
}

TEST(DecodeFaults, NameTheFieldItsPlaceAndWhatWasExpected) {
  EXPECT_EQ(node_errors("metadata: {name: a}\nspec:\n  taints: none\n"),
            Texts({"file:3:11: spec.taints: expected an array, found the string \"none\""}));
  EXPECT_EQ(
      node_errors(R"({"metadata": {"name": 7}})"),
      Texts(
          {"file:1:23: metadata.name: expected a string, found the number 7 (put it in quotes)"}));
  EXPECT_EQ(node_errors(R"({"spec": {}})"),
            Texts({"file:1:1: metadata.name: a node needs a name"}));
  EXPECT_EQ(node_errors(R"({"metadata": []})"),
            Texts({"file:1:14: metadata: expected an object, found an array"}));
  EXPECT_EQ(
      node_errors(R"({"metadata": {"name": "n", "labels": {"a.b/c": true}}})"),
      Texts(
          {"file:1:48: metadata.labels[a.b/c]: expected a string, found true (put it in quotes)"}));
  EXPECT_EQ(
      node_errors(R"({"metadata": {"name": "n"}, "spec": {"unschedulable": "true"}})"),
      Texts({"file:1:55: spec.unschedulable: expected a boolean, found the string \"true\""}));
  EXPECT_EQ(
      node_errors(R"({"metadata": {"name": "n"}, "status": {"images": [{"sizeBytes": -1}]}})"),
      Texts({"file:1:65: status.images[0].sizeBytes: expected an integer from 0 to "
             "9223372036854775807, "
             "found the number -1"}));
  EXPECT_EQ(node_errors("metadata: {name: n}"),
            Texts({"file:1:18: metadata.name: expected a string, found false (put it in quotes)"}));
  EXPECT_EQ(pod_errors(R"(["x"])"),
            Texts({"file:1:1: expected a Kubernetes object, found an array"}));
  EXPECT_EQ(
      pod_errors(R"({"metadata": {"name": "p"}, "spec": {"containers": [1, {"image": {}}]}})"),
      Texts({"file:1:53: spec.containers[0]: expected an object, found the number 1",
             "file:1:66: spec.containers[1].image: expected a string, found an object"}));
}

std::string with_request(const std::string& name, const std::string& json) {
  return R"({"metadata": {"name": "p"}, "spec": {"containers": [{"resources": {"requests": {")" +
         name + "\": " + json + "}}}]}}";
}

// The error without its place.
std::string request_error(const std::string& name, const std::string& json) {
  Texts errors = pod_errors(with_request(name, json));
  if (errors.empty()) return "";
  const std::string at = "spec.containers[0].resources.requests." + name + ": ";
  size_t behind = errors[0].find(at);
  return behind == std::string::npos ? errors[0] : errors[0].substr(behind + at.size());
}

TEST(DecodeFaults, QuantitiesMustBeQuantities) {
  EXPECT_EQ(request_error("cpu", "\"1 core\""),
            "expected a quantity such as 500m, 2 or 4Gi, found the string \"1 core\"");
  EXPECT_EQ(request_error("cpu", "\"\""),
            "expected a quantity such as 500m, 2 or 4Gi, found the string \"\"");
  EXPECT_EQ(request_error("cpu", "true"), "expected a quantity such as 500m, 2 or 4Gi, found true");
  EXPECT_EQ(request_error("cpu", "{}"),
            "expected a quantity such as 500m, 2 or 4Gi, found an object");
  EXPECT_EQ(request_error("memory", "\"1GB\""),
            "expected a quantity such as 500m, 2 or 4Gi, found the string \"1GB\"; did you mean 1G "
            "or 1Gi?");
  const auto meant = [](const char* text) {
    const std::string error = request_error("memory", std::string("\"") + text + "\"");
    const size_t at = error.find("; did you mean ");
    return at == error.npos ? "" : error.substr(at + 15);
  };
  EXPECT_EQ(meant("1gb"), "1G or 1Gi?");
  EXPECT_EQ(meant("1.5 gib"), "1.5Gi?");
  EXPECT_EQ(meant("512KB"), "512k or 512Ki?");
  EXPECT_EQ(meant("64mi"), "64Mi?");
  EXPECT_EQ(meant("2t"), "2T or 2Ti?");
  for (const char* text : {"gb", "1b", "1i", "1ib", "1 bib", "1xb", "1..2gb", "gb1", "1 "})
    EXPECT_EQ(meant(text), "") << text;
  EXPECT_EQ(request_error("cpu", "-1"),
            "Invalid value: \"-1\": must be greater than or equal to 0");
  EXPECT_EQ(request_error("memory", "\"-1n\""),
            "Invalid value: \"-1n\": must be greater than or equal to 0");
  EXPECT_EQ(request_error("memory", "\"1" + std::string(100, '0') + "x\""),
            "expected a quantity such as 500m, 2 or 4Gi, found the string \"1" +
                std::string(58, '0') + "...");
}

TEST(DecodeFaults, QuantitiesMustFitKubeSchedulersIntegers) {
  EXPECT_EQ(request_error("memory", "\"9223372036854775807\""), "");
  EXPECT_EQ(request_error("memory", "\"16Ei\""), "");  // is capped, as everywhere in Kubernetes
  EXPECT_EQ(request_error("memory", "9223372036854775808"),
            "more than 9223372036854775807, found the number 9223372036854775808");
  EXPECT_EQ(request_error("memory", "\"1e100\""),
            "more than 9223372036854775807, found the string \"1e100\"");
  EXPECT_EQ(request_error("memory", "\"10E\""),
            "more than 9223372036854775807, found the string \"10E\"");
  EXPECT_EQ(request_error("cpu", "\"9223372036854775807m\""), "");
  EXPECT_EQ(request_error("cpu", "\"9223372036854776\""),
            "more than 9223372036854775, found the string \"9223372036854776\"");
  EXPECT_EQ(request_error("cpu", "\"16Ei\""),
            "more than 9223372036854775, found the string \"16Ei\"");
}

TEST(DecodeFaults, BlanksAroundAQuantityAreTrimmed) {
  std::string text = with_request("cpu", "\" 1\\n\"");
  Decoded<model::Pod> decoded(decode_pod, text, Defaults::kNone);
  ASSERT_TRUE(decoded.object);
  EXPECT_EQ(amounts(decoded.object->spec.containers[0].requests), "cpu=1");
}

TEST(DecodeFaults, IntegersMustBeIntegersAndInRange) {
  auto ports = [](const std::string& port) {
    Texts errors = pod_errors(R"({"metadata": {"name": "p"}, "spec": {"containers": [{"ports": [)" +
                              port + "]}]}}");
    return errors.empty() ? "" : errors[0].substr(errors[0].find("[0]."));
  };
  EXPECT_EQ(ports(R"({"containerPort": 65535, "hostPort": 0})"), "");
  EXPECT_EQ(ports(R"({"hostPort": 65536})"),
            "[0].ports[0].hostPort: expected an integer from 0 to 65535, found the number 65536");
  EXPECT_EQ(ports(R"({"containerPort": -1})"),
            "[0].ports[0].containerPort: expected an integer from 0 to 65535, found the number -1");
  EXPECT_EQ(ports(R"({"hostPort": 80.0})"),
            "[0].ports[0].hostPort: expected an integer from 0 to 65535, found the number 80.0");
  EXPECT_EQ(ports(R"({"hostPort": "80"})"),
            "[0].ports[0].hostPort: expected a number, found the string \"80\"");
  EXPECT_EQ(pod_errors(R"({"metadata": {"name": "p"}, "spec": {"priority": 2147483648}})"),
            Texts({"file:1:50: spec.priority: expected an integer from -2147483648 to 2147483647, "
                   "found the "
                   "number 2147483648"}));
}

TEST(DecodeFaults, OfOneObjectDoNotHideThoseOfOthers) {
  std::string labels;
  for (int i = 0; i < 5000; ++i) labels += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
  EXPECT_EQ(node_errors(R"({"metadata": {"name": "n", "labels": {)" + labels + "}}}").size(), 11u);
}

}  // namespace
}  // namespace berth::ingest
