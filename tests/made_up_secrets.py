"""Secrets of made-up values, put together at run time from parts, so that no scanner takes this file for a leak."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"


def some(random_: random.Random, letters: str, length: int) -> str:
    """Return so many letters, with at least one digit where there are digits to choose from."""
    text = [random_.choice(letters) for _ in range(length)]
    if any(letter.isdigit() for letter in letters):
        text[length // 2] = random_.choice([letter for letter in letters if letter.isdigit()])
    return "".join(text)


def _jwt(r: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(f'{{"sub":"{r.randrange(10**9)}"}}'.encode()).decode().rstrip("=")
    return f"{head}.{body}.{some(r, ALNUM, 43)}"


def _key(r: random.Random) -> str:
    lines = "\n".join(some(r, ALNUM + "+/", 64) for _ in range(4))
    return "-----BEGIN " + f"RSA PRIVATE KEY-----\n{lines}\n-----END " + "RSA PRIVATE KEY-----"


# Kind to (the secret, the text that it stands in, with {} in its place).
KINDS: dict[str, tuple[Callable[[random.Random], str], str]] = {
    "hugging face": (lambda r: "hf" + "_" + some(r, ALNUM, 34), "Token {} is not valid for this repository"),
    "openai": (
        lambda r: "sk" + "-proj-" + some(r, ALNUM + "_-", 80) + "Z",
        "Incorrect API provided: {}. You can find it",
    ),
    "openai old": (lambda r: "sk" + "-" + some(r, ALNUM, 48), "openai.AuthenticationError: {}"),
    "anthropic": (lambda r: "sk" + "-ant-api03-" + some(r, ALNUM, 80), "x-api-key {}"),
    "aws id": (lambda r: "AK" + "IA" + some(r, UPPER, 16), "InvalidAccessKeyId: {}"),
    "aws secret": (lambda r: some(r, ALNUM + "/+", 39) + "x", "aws_secret_access_key = {}"),
    "google": (lambda r: "AI" + "za" + some(r, ALNUM + "_-", 34) + "x", "https://maps/api?key={}"),
    "github": (lambda r: "gh" + "p_" + some(r, ALNUM, 36), "fatal: could not read from https://{}@github.com/a/b"),
    "github fine": (lambda r: "github" + "_pat_" + some(r, ALNUM + "_", 81) + "x", "remote: {} denied"),
    "gitlab": (lambda r: "gl" + "pat-" + some(r, ALNUM, 20), "PRIVATE-TOKEN: {}"),
    "slack": (lambda r: "xo" + "xb-" + some(r, string.digits, 12) + "-" + some(r, ALNUM, 24), "SlackApiError with {}"),
    "slack hook": (
        lambda r: f"T{some(r, UPPER, 8)}/B{some(r, UPPER, 8)}/{some(r, ALNUM, 24)}",
        "POST https://hooks.slack.com/services/{} 404",
    ),
    "feishu hook": (lambda r: some(r, HEX, 32), "https://open.feishu.cn/open-apis/bot/v2/hook/{}"),
    "wandb": (lambda r: some(r, HEX, 40), "wandb login --relogin {}"),
    "wandb variable": (lambda r: some(r, HEX, 40), "export WANDB_API_KEY={}"),
    "jwt": (_jwt, "got {} from the identity service"),
    "private key": (_key, "read key\n{}\ndone"),
    "azure sas": (lambda r: some(r, ALNUM, 40) + "%3D", "https://x.blob.core.windows.net/c?sv=2022&sig={}"),
    "azure account": (lambda r: some(r, ALNUM + "+/", 86) + "==", "AccountName=x;AccountKey={};EndpointSuffix=y"),
    "bearer": (lambda r: some(r, ALNUM, 40), "Authorization: Bearer {}"),
    "basic": (lambda r: base64.b64encode(some(r, ALNUM, 18).encode()).decode(), "authorization: Basic {}"),
    "url password": (lambda r: some(r, ALNUM, 12), "postgresql://trainer:{}@db/metrics"),
    "password": (lambda r: some(r, ALNUM + "!%^*", 11) + "x", "password={}"),
    "password in quotes": (lambda r: some(r, string.ascii_lowercase, 12), "connect(user='x', password='{}')"),
    "json secret": (lambda r: some(r, ALNUM, 30), '{{"client_secret": "{}", "x": 1}}'),
    "stripe": (lambda r: "sk" + "_live_" + some(r, ALNUM, 24), "charge failed for {}"),
    "sendgrid": (lambda r: "S" + "G." + some(r, ALNUM, 22) + "." + some(r, ALNUM, 43), "mail through {}"),
    "npm": (lambda r: "np" + "m_" + some(r, ALNUM, 36), "//registry.npmjs.org/:_authToken={}"),
    "pypi": (lambda r: "py" + "pi-AgEIcHlwaS5vcmc" + some(r, ALNUM, 80), "uploading with {}"),
    "docker": (lambda r: "dck" + "r_pat_" + some(r, ALNUM, 27), "docker login -p {}"),
    "databricks": (lambda r: "da" + "pi" + some(r, HEX, 32), "mlflow uses {}"),
    "telegram": (
        lambda r: some(r, string.digits, 10) + ":A" + "A" + some(r, ALNUM, 33),
        "https://api.telegram.org/bot{}/x",
    ),
    "digitalocean": (lambda r: "do" + "p_v1_" + some(r, HEX, 64), "doctl: {}"),
    "vault": (lambda r: "hv" + "s." + some(r, ALNUM, 30), "VAULT {} expired"),
    "groq": (lambda r: "gs" + "k_" + some(r, ALNUM, 52), "client = Groq({})"),
    "cookie": (lambda r: f"session={some(r, ALNUM, 30)}", "Set-Cookie: {}"),
    "presigned": (lambda r: some(r, HEX, 64), "https://b/o?X-Amz-Algorithm=AWS4&X-Amz-Signature={}"),
    "netrc": (lambda r: some(r, ALNUM, 16), "machine api.wandb.ai login user password {}"),
}


def made_up(count: int, seed: int = 7) -> list[tuple[str, str, str]]:
    """Return (kind, secret, text that holds it), the kinds in turn."""
    random_ = random.Random(seed)
    found = []
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        make, frame = KINDS[kind]
        secret = make(random_)
        found.append(
            (kind, secret, frame.replace("{{", "\0").replace("{}", secret).replace("\0", "{").replace("}}", "}"))
        )
    return found
