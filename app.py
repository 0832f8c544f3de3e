"""The app as a server: the worker, the example, the live route, security headers. `streamlit run app.py`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from refine import conductor, live_route
from refine.ui import example
from refine.ui.parts import live_reader, page_secret, workbench

logging.basicConfig(format="%(asctime)s %(message)s")
logging.getLogger("refine").setLevel(logging.INFO)

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[dict[str, Any]]:
    """Runs go on from where they stood as soon as the server is up, with no page open."""
    page_secret()
    example.bring(workbench())
    worker = workbench().make_worker(beside=[lambda: conductor.keep(workbench())])
    worker.start()
    try:
        yield {"worker": worker}
    finally:
        await asyncio.to_thread(worker.stop)


class SecurityHeaders:
    """Puts `HEADERS` on every answer: whatever a text holds, the page fetches nothing from outside."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers)


routes = [live_route.route(live_reader, page_secret)]
app = st.App("refine/ui/main.py", lifespan=lifespan, routes=routes, middleware=[Middleware(SecurityHeaders)])
