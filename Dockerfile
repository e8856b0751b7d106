# docker build --build-arg BASE=python:3.14-slim-trixie -t todas .
# BASE is any image with Python 3.11 or newer as `python`; both stages use the same one.
# --build-arg COMPILED=1 puts the engine compiled in (docs/decisions/0007), where BASE is a Debian.
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
ENV UV_PYTHON_DOWNLOADS=never
WORKDIR /src
COPY requirements/ requirements/
RUN python -m pip install --no-cache-dir --root-user-action=ignore --require-hashes -r requirements/tools.lock \
 && uv venv --no-cache /opt/todas \
 && uv pip install --no-cache --compile-bytecode --require-hashes --python /opt/todas -r requirements/image.lock
COPY . .
RUN uv pip install --no-cache --compile-bytecode --no-deps --python /opt/todas .
ARG COMPILED=
# hadolint ignore=DL3008
RUN if [ -n "$COMPILED" ]; then \
      apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/* \
      && uv venv --no-cache /opt/compile \
      && uv pip install --no-cache --require-hashes --python /opt/compile -r requirements/compile.lock \
      && deploy/install_compiled.sh /opt/compile /opt/todas; \
    fi

FROM ${BASE}
COPY --from=build /opt/todas /opt/todas
COPY deploy/entrypoint.sh /usr/local/bin/entrypoint.sh
# No account is made for this id, so that any base will do; HOME is where libraries look for files of their own.
USER 10001:10001
WORKDIR /tmp
ENV HOME=/tmp \
    PATH=/opt/todas/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TODAS_ENVIRONMENT=production \
    TODAS_HOST=0.0.0.0 \
    TODAS_LOG_FORMAT=json \
    TODAS_PORT=8000
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["sh", "-c", "exec python -c \"import urllib.request as r; r.urlopen('http://127.0.0.1:$TODAS_PORT/readyz', timeout=2)\""]
STOPSIGNAL SIGTERM
ENTRYPOINT ["entrypoint.sh"]
CMD ["migrate", "serve"]
