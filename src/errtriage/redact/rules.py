"""What is secret in a log, as one table: kind, literals one of which must stand in the text, and a regex.

The forms of tokens are those that their services document (GitHub, GitLab, Hugging Face, OpenAI, AWS, Google, Azure,
Slack …). The group `hide` is what is replaced, the whole match where there is none. A regex of a bare token asks for
its full length, so that code, hashes and versions are not touched.
"""

from __future__ import annotations

from typing import Any

from errtriage.lazy_regex import lazy
from errtriage.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One kind of secret: the name of its placeholder, literals one of which stands in its line, and its pattern."""

    kind: str
    literals: tuple[str, ...]  # in small letters
    regex: Any
    lines: bool = False  # it goes over several lines


def _rule(kind: str, literals: str, *patterns: str) -> Rule:
    """Return a rule; its literals are parted by spaces, a `~` in them stands for one."""
    known = tuple(word.replace("~", " ") for word in literals.split())
    return Rule(kind=kind, literals=known, regex=lazy("".join(patterns)))


def _token(kind: str, literals: str, start: str, body: str) -> Rule:
    """Return the rule of a token that begins with a fixed word."""
    return _rule(kind, literals, r"(?<![A-Za-z0-9])", start, body, r"(?![A-Za-z0-9])")


# A value after a name and a sign: quoted or bare; what is no value of a secret is told apart in `redact`.
_VALUE = (
    r"[\"']?\s{0,3}(?:=>|[:=])\s{0,3}(?:[bru]{0,2}[\"'](?P<hide>[^\"'\n]{3,400})[\"']"
    r"|(?P<hide2>[^\s\"',;&<>(){}\[\]]{3,400})(?![\w(\[.]))"
)
_NAMED = (
    r"(?i)(?:pass(?:word|wd|phrase)|pwd|secret|(?:api|access|secret|account|private|signing|encryption)[_-]?key"
    r"|(?:auth|access|refresh|bot|api|hub|session)[_-]?token|credentials?)(?:[_-](?:id|key|access[_-]key|value|base64))?"
)
_WEBHOOKS = (
    r"https://(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/"
    r"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/|[\w.-]{1,80}\.webhook\.office\.com/"
    r"|oapi\.dingtalk\.com/robot/send\?access_token=|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key="
    r"|chat\.googleapis\.com/v1/spaces/)(?P<hide>[\w/.@?=&%+~-]{8,400})"
)

SECRETS: tuple[Rule, ...] = (
    Rule(
        kind="private-key",
        literals=("-----begin ",),
        regex=lazy(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S]){0,20000}"
            r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        lines=True,
    ),
    _rule("jwt", "eyj", r"(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}(?![\w-])"),
    _token("huggingface-token", "hf_ api_org_", r"(?:hf_|api_org_)", r"[A-Za-z0-9]{30,60}"),
    _token("anthropic-key", "sk-ant-", r"sk-ant-", r"[\w-]{20,200}"),
    _rule(
        "openai-key", "sk-",
        r"(?<![\w-])sk-(?:(?:proj|svcacct|admin|None)-)?(?=[\w-]{0,60}\d)[A-Za-z0-9][\w-]{19,300}(?![\w-])",
    ),
    _token("aws-key-id", "akia asia abia acca", r"A(?:KIA|SIA|BIA|CCA)", r"[A-Z2-7]{16}"),
    _token("google-key", "aiza", r"AIza", r"[\w-]{35}"),
    _token("google-token", "ya29.", r"ya29\.", r"[\w-]{20,400}"),
    _token("google-secret", "gocspx-", r"GOCSPX-", r"[\w-]{24,40}"),
    _token("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_", r"[A-Za-z0-9]{30,255}"),
    _token("github-token", "github_pat_", r"github_pat_", r"\w{40,255}"),
    _token(
        "gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glsoat- glft- glimt- glagent-",
        r"gl(?:pat|dt|rt|cbt|ptt|soat|ft|imt|agent)-", r"[\w.-]{20,100}",
    ),
    _token(
        "slack-token", "xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-",
        r"(?:xox[abeoprs][.-](?:xox[bp]-)?|xapp-)", r"[A-Za-z0-9-]{10,300}",
    ),
    _rule("webhook", "https://", _WEBHOOKS),
    _rule(
        "wandb-key", "wandb api~key api-key apikey api_key",
        r"(?i)(?:wandb[^\n]{0,30}\blogin\b|api[ _-]?key)[^\n]{0,60}?",
        r"(?<![0-9a-f])(?P<hide>(?:local-)?[0-9a-f]{40})(?![0-9a-f])",
    ),
    _token("wandb-key", "wandb_v1_", r"wandb_v1_", r"\w{40,120}"),
    _token("gitea-token", "gta_", r"gta_", r"[A-Za-z0-9]{36,64}"),
    _token("groq-key", "gsk_", r"gsk_", r"[A-Za-z0-9]{40,64}"),
    _token("replicate-token", "r8_", r"r8_", r"[A-Za-z0-9]{36,44}"),
    _token("perplexity-key", "pplx-", r"pplx-", r"[A-Za-z0-9]{40,64}"),
    _token("xai-key", "xai-", r"xai-", r"[A-Za-z0-9]{60,100}"),
    _token("npm-token", "npm_", r"npm_", r"[A-Za-z0-9]{36}"),
    _token("pypi-token", "pypi-age", r"pypi-AgE", r"[\w-]{50,400}"),
    _token("docker-token", "dckr_", r"dckr_(?:pat|oat)_", r"[\w-]{20,60}"),
    _token("databricks-token", "dapi", r"dapi", r"[a-f0-9]{32}(?:-\d)?"),
    _token("stripe-key", "_live_ _test_", r"(?:sk|rk|pk)_(?:live|test)_", r"[A-Za-z0-9]{20,200}"),
    _token("sendgrid-key", "sg.", r"SG\.", r"[\w-]{16,32}\.[\w-]{32,64}"),
    _token("twilio-key", "sk", r"SK", r"[0-9a-f]{32}"),
    _token("digitalocean-token", "_v1_", r"do[opr]_v1_", r"[a-f0-9]{64}"),
    _token("newrelic-key", "nrak-", r"NRAK-", r"[A-Z0-9]{27}"),
    _token("grafana-token", "glsa_ glc_", r"gl(?:sa|c)_", r"[\w+/=-]{32,200}"),
    _token("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.", r"[\w-]{24,300}"),
    _token("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_", r"[a-fA-F0-9]{32}"),
    _token("atlassian-token", "atatt3", r"ATATT3", r"[\w=-]{60,300}"),
    _token("linear-key", "lin_api_", r"lin_api_", r"[A-Za-z0-9]{32,60}"),
    _token("notion-token", "ntn_", r"ntn_", r"[A-Za-z0-9]{40,60}"),
    _token("age-key", "age-secret-key-", r"AGE-SECRET-KEY-", r"[0-9A-Z]{58}"),
    _token("tailscale-key", "tskey-", r"tskey-", r"[\w-]{20,100}"),
    _token("alibaba-key-id", "ltai", r"LTAI", r"[A-Za-z0-9]{12,24}"),
    _token("tencent-key-id", "akid", r"AKID", r"[A-Za-z0-9]{32}"),
    _rule("telegram-token", ":aa", r"(?<![\w:])(?:bot)?(?P<hide>\d{8,10}:AA[\w-]{32,36})(?![\w-])"),
    _rule(
        "discord-token", "",
        r"[MNO](?<![\w.-][MNO])[A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}(?![\w.-])",
    ),
    _rule(
        "signature", "sig= x-amz- x-goog- signature=",
        r"(?i)[?&](?:sig|Signature|X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token))=",
        r"(?P<hide>[\w%/+=.~-]{8,2000})",
    ),
    _rule(
        "authorization", "authorization bearer~",
        r"(?i)(?:authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?:bearer|basic|token)|(?<![A-Za-z])bearer)\s{1,3}",
        r"(?P<hide>[\w.~+/=-]{12,4000})",
    ),
    _rule("cookie", "cookie:", r"(?i)cookie:\s{0,3}(?P<hide>[^\s\n][^\n]{3,2000})"),
    _rule("password", "://", r"(?<=://)[^\s:/@\"'<>]{0,100}:(?P<hide>[^\s/@\"'<>]{1,200})@(?=[\w\[<])"),
    _rule("token", "://", r"(?<=://)(?P<hide>[A-Za-z0-9_-]{20,200})@(?=[\w\[])"),
    _rule(
        "password", "machine~",
        r"\bmachine\s{1,3}\S{1,200}\s{1,3}login\s{1,3}\S{1,100}\s{1,3}password\s{1,3}(?P<hide>\S{1,200})",
    ),
    _rule(
        "password", "sshpass --password mysql curl",
        r"(?:sshpass\s{1,3}-p\s?|--password\s{1,3}|\bmysql\b[^\n]{0,80}?\s-p|\bcurl\b[^\n]{0,120}?\s-u\s{1,3}[^\s:]{1,60}:)",
        r"[\"']?(?P<hide>[^\s\"']{3,200})",
    ),
    _rule(
        "account-key", "accountkey= sharedaccesskey=",
        r"(?i)(?:AccountKey|SharedAccessKey)=(?P<hide>[A-Za-z0-9+/]{20,100}={0,2})",
    ),
    _rule(
        "secret",
        "password passwd passphrase pwd secret _key -key apikey accesskey privatekey accountkey _token -token authtoken"
        " accesstoken credential",
        _NAMED, _VALUE,
    ),
    # `token` alone counts tokens in most logs: only a long value of letters and digits is one, or that of a variable.
    _rule(
        "secret", "token= token: token~ token\" token'",
        r"(?:[A-Z0-9]_TOKEN|(?<![\w-])token)[\"']?\s{0,3}[:=]\s{0,3}[\"']?",
        r"(?P<hide>(?=[\w./+=-]{0,40}\d)(?=[\w./+=-]{0,40}[A-Za-z])[\w./+=-]{16,2000})",
    ),
)  # fmt: skip
