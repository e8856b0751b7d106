"""Swagger UI and ReDoc, from files of this installation: nothing is fetched from elsewhere, nothing runs inline."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

router = APIRouter(include_in_schema=False)

_PACKAGE: Final = "fastapi_standalone_docs"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'"
)
_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}

# Relative addresses, so that the pages also work below a proxy's prefix.
_SWAGGER: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Todas: try it</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="docs/swagger/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
"""
_START: Final = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""
_REDOC: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Todas: reference</title>
<link rel="icon" href="data:,">
<body style="margin: 0">
<redoc spec-url="openapi.json"></redoc>
<script src="redoc/redoc.standalone.js"></script>
</html>
"""


class _Assets(StaticFiles):
    """Files that change only with the installation."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response


@router.get("/")
async def root() -> RedirectResponse:
    """Where people begin."""
    return RedirectResponse("docs")


@router.get("/docs")
async def swagger_ui() -> HTMLResponse:
    """The page to try every route on."""
    return HTMLResponse(_SWAGGER, headers=_HEADERS)


@router.get("/docs/start.js")
async def start_swagger_ui() -> Response:
    """What starts Swagger UI."""
    return Response(_START, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@router.get("/redoc")
async def redoc() -> HTMLResponse:
    """The page to read."""
    return HTMLResponse(_REDOC, headers=_HEADERS)


def mount(app: FastAPI) -> None:
    """Adds the pages and their files; after all other routes, since files are found last."""
    app.include_router(router)
    app.mount("/docs/swagger", _Assets(packages=[(_PACKAGE, "static/swagger")]))
    app.mount("/redoc", _Assets(packages=[(_PACKAGE, "static/redoc")]))
