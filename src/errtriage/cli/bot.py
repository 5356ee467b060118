"""`errtriage bot slack|lark|http|mcp`: the options of each transport, its secrets in the environment, its start."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errtriage.cli.options import OPTIONS
from errtriage.errors import ErrtriageError

if TYPE_CHECKING:
    from errtriage.bot.core import Bot

app = typer.Typer(
    help="Answer in a team's channel, over HTTP, or as tools of an agent.", no_args_is_help=True, rich_markup_mode=None
)
_MIB = 1 << 20

Knowledge = Annotated[list[Path] | None, typer.Option(*OPTIONS["knowledge"].flags, help=OPTIONS["knowledge"].help)]
Lang = Annotated[str, typer.Option("--lang", help=OPTIONS["lang"].help)]
Allow = Annotated[
    list[str] | None, typer.Option("--allow-link", help="Artifacts below this address may be fetched; repeatable.")
]
Memory = Annotated[Path | None, typer.Option("--state", help="The SQLite file in which seen faults are kept.")]
Days = Annotated[float, typer.Option("--retention-days", help="How long a seen fault is remembered.")]
Most = Annotated[int, typer.Option("--max-mib", min=1, help="The most MiB of logs in one message.")]
Seconds = Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds that one analysis may take.")]
Gib = Annotated[float, typer.Option("--memory", min=0.25, help="GiB of memory that one analysis may take.")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Analyses at the same time.")]
NoRedact = Annotated[bool, typer.Option("--no-redact", help="Leave secrets, names and hosts in the answers.")]
Host = Annotated[str, typer.Option("--host", help="The address to listen on.")]
Socket = Annotated[bool, typer.Option("--socket", help="Connect out instead of listening: no address is needed.")]


def _bot(
    knowledge: list[Path] | None,
    lang: str,
    allow: list[str] | None,
    state: Path | None,
    days: float,
    most: int,
    seconds: float,
    gib: float,
    jobs: int,
    no_redact: bool,
) -> Bot:
    """Return the bot that the options ask for."""
    from errtriage.bot.core import Bot, Settings
    from errtriage.bot.links import check_allowed, fetch
    from errtriage.bot.received import Bounds
    from errtriage.bot.store import Store, default_path
    from errtriage.bot.worker import Limits

    allowed = check_allowed(allow or [])
    settings = Settings(
        bounds=Bounds(most_bytes=most * _MIB, allowed_links=allowed),
        limits=Limits(seconds=seconds, memory=int(gib * (1 << 30))),
        lang=lang,
        knowledge=tuple(str(folder.resolve()) for folder in knowledge or []),
        redact=not no_redact,
        jobs=jobs,
    )
    store = Store(state or default_path(), days=days)
    return Bot(store, settings, fetch=lambda link, left: fetch(link, allowed, left))


def _secret(name: str, what: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ErrtriageError(f"set {name}: {what}")
    return value


@app.command("slack")
def slack(
    socket: Socket = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen on.")] = 3000,
    lang: Lang = "en",
    allow_link: Allow = None,
    knowledge: Knowledge = None,
    state: Memory = None,
    retention_days: Days = 90,
    max_mib: Most = 64,
    timeout: Seconds = 60,
    memory: Gib = 4,
    jobs: Jobs = 2,
    no_redact: NoRedact = False,
) -> None:
    """Answer in Slack. SLACK_BOT_TOKEN, and SLACK_APP_TOKEN with --socket, else SLACK_SIGNING_SECRET, must be set."""
    from errtriage.bot.http import serve
    from errtriage.bot.slack import SLACK_API, Keys, SlackBot

    keys = Keys(
        bot_token=_secret("SLACK_BOT_TOKEN", "the bot's token (xoxb-…)"),
        app_token=_secret("SLACK_APP_TOKEN", "the app's token (xapp-…)") if socket else "",
        signing_secret="" if socket else _secret("SLACK_SIGNING_SECRET", "the app's signing secret, or use --socket"),
        base_url=os.environ.get("SLACK_API_URL") or SLACK_API,
    )
    bot = _bot(knowledge, lang, allow_link, state, retention_days, max_mib, timeout, memory, jobs, no_redact)
    transport = SlackBot(bot, keys)
    if socket:
        transport.run_socket()
    else:
        serve(transport.asgi(), host, port, extra="slack")


@app.command("lark")
def lark(
    socket: Socket = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen on.")] = 3001,
    domain: Annotated[str, typer.Option("--domain", help="Of Lark: https://open.larksuite.com.")] = (
        "https://open.feishu.cn"
    ),
    lang: Lang = "zh",
    allow_link: Allow = None,
    knowledge: Knowledge = None,
    state: Memory = None,
    retention_days: Days = 90,
    max_mib: Most = 64,
    timeout: Seconds = 60,
    memory: Gib = 4,
    jobs: Jobs = 2,
    no_redact: NoRedact = False,
) -> None:
    """Answer in Feishu (Lark). LARK_APP_ID and LARK_APP_SECRET must be set, and LARK_VERIFICATION_TOKEN to listen."""
    from errtriage.bot.http import serve
    from errtriage.bot.lark import Keys, LarkBot

    keys = Keys(
        app_id=_secret("LARK_APP_ID", "the app's id"),
        app_secret=_secret("LARK_APP_SECRET", "the app's secret"),
        verification_token=(
            "" if socket else _secret("LARK_VERIFICATION_TOKEN", "the token of event callbacks, or use --socket")
        ),
        encrypt_key=os.environ.get("LARK_ENCRYPT_KEY", ""),
        domain=domain,
    )
    bot = _bot(knowledge, lang, allow_link, state, retention_days, max_mib, timeout, memory, jobs, no_redact)
    transport = LarkBot(bot, keys)
    if socket:
        transport.run_socket()
    else:
        serve(transport.asgi(), host, port, extra="lark")


@app.command("http")
def http(
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen on.")] = 8080,
    rate: Annotated[float, typer.Option("--rate", help="Requests a minute of each caller; 0 is no limit.")] = 60,
    certificate: Annotated[str | None, typer.Option("--tls-cert", help="A certificate (PEM).")] = None,
    key: Annotated[str | None, typer.Option("--tls-key", help="Its key (PEM).")] = None,
    lang: Lang = "en",
    knowledge: Knowledge = None,
    state: Memory = None,
    retention_days: Days = 90,
    max_mib: Most = 64,
    timeout: Seconds = 60,
    memory: Gib = 4,
    jobs: Jobs = 2,
    no_redact: NoRedact = False,
) -> None:
    """Explain logs that are posted. ERRTRIAGE_TOKENS holds the bearer tokens, separated by commas or spaces."""
    from errtriage.bot.http import Door, Server, serve

    tokens = tuple(os.environ.get("ERRTRIAGE_TOKENS", "").replace(",", " ").split())
    if not tokens and not _is_loopback(host):
        raise ErrtriageError(
            f"set ERRTRIAGE_TOKENS: without a token only this machine may ask, and {host} is reachable"
        )
    bot = _bot(knowledge, lang, None, state, retention_days, max_mib, timeout, memory, jobs, no_redact)
    server = Server(bot, Door(tokens=tokens, per_minute=rate))
    serve(server.app, host, port, certificate=[one for one in (certificate, key) if one])


@app.command("mcp")
def mcp(
    root: Annotated[Path, typer.Option("--root", help="Files below this folder may be read.")] = Path(),
    lang: Lang = "en",
    knowledge: Knowledge = None,
    max_mib: Most = 256,
    timeout: Seconds = 60,
    memory: Gib = 4,
    no_redact: NoRedact = False,
) -> None:
    """Offer tools to an agent by the Model Context Protocol, over standard input and output."""
    from errtriage.bot.mcp import Place, Tools, server
    from errtriage.bot.worker import Limits
    from errtriage.cli.kb_browse import entry_of
    from errtriage.cli.kb_page import page
    from errtriage.knowledge import configured_folders, load_knowledge

    folders = tuple(str(folder.resolve()) for folder in knowledge or [])
    known = load_knowledge([*configured_folders(), *map(Path, folders)], lang=lang)
    place = Place(
        root=root,
        most_bytes=max_mib * _MIB,
        limits=Limits(seconds=timeout, memory=int(memory * (1 << 30))),
        knowledge=folders,
        redact=not no_redact,
        lang=lang,
    )
    server(Tools(place, lambda id: page(entry_of(id, known), known))).run("stdio")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
