"""`/products`."""

from __future__ import annotations

from shop.dto.products import ProductView
from shop.handlers.http import Request, Response
from shop.services.catalog import Catalog


class ProductHandlers:
    """Browse the shop."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def index(self, request: Request) -> Response:
        """`GET /products?q=words`."""
        found = self._catalog.browse(request.query.get("q", ""))
        return Response(200, {"products": [ProductView.of(each).to_json() for each in found]})

    def show(self, request: Request, sku: str) -> Response:
        """`GET /products/{sku}`."""
        return Response(200, ProductView.of(self._catalog.product(sku)).to_json())
