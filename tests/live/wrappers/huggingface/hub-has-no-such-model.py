"""A model is asked for by a name that the hub does not have."""
# expect: hub-file-missing
# cause: name-misspelt
import http.server
import os
import sys
import tempfile
import threading

ANSWER = (200, "", "") if "--fixed" in sys.argv else (401, "RepoNotFound", "Repository not found")


class Hub(http.server.BaseHTTPRequestHandler):
    """A hub on this machine that answers as the real one does."""

    def do_GET(self):
        code, error, said = ANSWER
        if code == 200 and self.path.endswith("/config.json"):
            self.send_response(200)
            body = b'{"model_type": "bert", "vocab_size": 20, "hidden_size": 8, "num_attention_heads": 2}'
            self.send_header("ETag", '"a1b2"')
            self.send_header("X-Repo-Commit", "0123456789abcdef0123456789abcdef01234567")
        else:
            if code == 200:
                code, error, said = 404, "EntryNotFound", "Entry not found"
            self.send_response(code)
            body = b""
            if error:
                self.send_header("X-Error-Code", error)
            self.send_header("X-Error-Message", said)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ.update(HF_ENDPOINT=f"http://127.0.0.1:{server.server_port}", HF_HOME=tempfile.mkdtemp(), HF_HUB_OFFLINE="0")
os.environ.pop("HF_TOKEN", None)

from transformers import AutoConfig

config = AutoConfig.from_pretrained("ada/small-bert")
print(config.hidden_size)
