# Checks that extenders get whole objects. usage: compare.py REQUESTS_FILE FOLDER frames|whole
import json
import sys

with open(sys.argv[1]) as lines:
    requests = [json.loads(line) for line in lines]
with open(sys.argv[2] + "/pods.json") as text:
    pod = json.load(text)
with open(sys.argv[2] + "/cluster.json") as text:
    node = json.load(text)["items"][0]


def fail(text):
    sys.exit("the extender got " + text)


def holds(sent, came, path):
    if isinstance(came, dict):
        for key, value in came.items():
            if key not in sent:
                fail("no " + path + "." + key)
            holds(sent[key], value, path + "." + key)
    elif isinstance(came, list):
        if len(came) != len(sent):
            fail(str(len(sent)) + " elements of " + path)
        for i, value in enumerate(came):
            holds(sent[i], value, path + "[" + str(i) + "]")
    elif sent != came:
        fail(path + " as " + json.dumps(sent) + ", not " + json.dumps(came))


verbs = [request["verb"] for request in requests]
if verbs != ["filter", "bind"]:
    fail("the requests " + str(verbs))
asked = requests[0]["asked"]
if sys.argv[3] == "whole":
    holds(asked["Pod"], pod, "Pod")
    holds(asked["Nodes"]["items"][0], node, "Node")
elif "annotations" in asked["Pod"]["metadata"]:
    fail("annotations of a frame")
