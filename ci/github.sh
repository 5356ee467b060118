#!/usr/bin/env bash
# What the composite action runs: errtriage in an environment of its own, then the explanation. It never fails the job.
# ERRTRIAGE_PYTHON names an interpreter that has errtriage already.
set -uo pipefail

python=${ERRTRIAGE_PYTHON:-}
if [ -z "$python" ]; then
  home=${RUNNER_TEMP:-$(mktemp -d)}/errtriage
  base=$(command -v python3 || command -v python) || { echo "errtriage: there is no Python on this runner" >&2; exit 0; }
  "$base" -m venv "$home" || { echo "errtriage: no environment could be made" >&2; exit 0; }
  python=$home/bin/python
  [ -x "$python" ] || python=$home/Scripts/python.exe
  "$python" -m pip install -q --disable-pip-version-check "${ERRTRIAGE_PACKAGE:-${GITHUB_ACTION_PATH:-.}}" ||
    { echo "errtriage: it could not be installed" >&2; exit 0; }
fi

arguments=(--service github --annotate --lang "${ERRTRIAGE_LANG:-en}")
[ "${ERRTRIAGE_COMMENT:-false}" = true ] && arguments+=(--comment)
[ "${ERRTRIAGE_REDACT:-true}" = false ] && arguments+=(--no-redact)
[ -n "${ERRTRIAGE_FOLDER:-}" ] && arguments+=(--knowledge "$ERRTRIAGE_FOLDER")
logs=()
while IFS= read -r line; do
  [ -n "$line" ] && logs+=("$line")
done <<< "${ERRTRIAGE_LOG:-}"

"$python" -m errtriage.bot.ci "${arguments[@]}" -- ${logs[@]+"${logs[@]}"} || echo "errtriage: it ended with $?" >&2
exit 0
