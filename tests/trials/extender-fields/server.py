# An extender that lets all nodes pass and binds. Writes its port and each request to files.
# usage: server.py PORT_FILE REQUESTS_FILE
import http.server
import json
import os
import sys


class Extender(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(sys.argv[2], "a") as out:
            out.write(json.dumps({"verb": self.path.rsplit("/", 1)[1], "asked": asked}) + "\n")
        answer = {"Nodes": asked["Nodes"]} if self.path.endswith("/filter") else {}
        if self.path.endswith("/prioritize"):
            answer = []
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *unused):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Extender)
with open(sys.argv[1] + ".part", "w") as out:
    out.write(str(server.server_port))
os.rename(sys.argv[1] + ".part", sys.argv[1])
server.serve_forever()
