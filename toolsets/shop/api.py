"""The callbacks of shop.yaml. Arguments arrive validated: the input schemas handle types, ranges, choices and defaults."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolError
from shop.database import execute, query

if TYPE_CHECKING:
    from bashkit.tools import ToolArgs

Row = dict[str, Any]


def _filtered(args: ToolArgs, start: str, conditions: dict[str, str], end: str) -> list[Row]:
    """The rows of a query with one condition for each parameter that was given."""
    given = [name for name in conditions if args.get(name) is not None]
    where = " AND ".join(conditions[name] for name in given)
    values = [args[name] for name in given]
    return query(args.env, f"{start} {'WHERE ' + where if where else ''} {end}", [*values, args.get("limit", -1)])


def get_user(args: ToolArgs) -> Row:
    """One user by id."""
    rows = query(args.env, "SELECT * FROM users WHERE id = ?", [args["id"]])
    if not rows:
        raise ToolError(f"there is no user {args['id']}")
    return rows[0]


def list_users(args: ToolArgs) -> list[Row]:
    """Users by tier, country and part of the name."""
    conditions = {"tier": "tier = ?", "country": "country = ?", "search": "instr(lower(name || ' ' || email), lower(?)) > 0"}
    return _filtered(args, "SELECT * FROM users", conditions, "ORDER BY id LIMIT ?")


_ORDERS = (
    "SELECT o.id, o.user_id, o.status, o.ordered_on, "
    "(SELECT sum(i.quantity * i.price) FROM order_items i WHERE i.order_id = o.id) AS total "
    "FROM orders o"
)


def list_orders(args: ToolArgs) -> list[Row]:
    """Orders by user, status and day, the newest first."""
    conditions = {
        "user_id": "o.user_id = ?",
        "status": "o.status = ?",
        "since": "o.ordered_on >= ?",
        "until": "o.ordered_on <= ?",
    }
    return _filtered(args, _ORDERS, conditions, "ORDER BY o.ordered_on DESC, o.id DESC LIMIT ?")


def get_order(args: ToolArgs) -> Row:
    """One order with its items."""
    rows = query(args.env, f"{_ORDERS} WHERE o.id = ?", [args["id"]])
    if not rows:
        raise ToolError(f"there is no order {args['id']}")
    items = query(
        args.env,
        "SELECT i.sku, p.name, i.quantity, i.price FROM order_items i JOIN products p USING (sku) "
        "WHERE i.order_id = ? ORDER BY i.sku",
        [args["id"]],
    )
    return {**rows[0], "items": items}


def search_products(args: ToolArgs) -> list[Row]:
    """Products by words, category, price and stock."""
    conditions = {
        "query": "instr(lower(name || ' ' || category), lower(?)) > 0",
        "category": "category = ?",
        "max_price": "price <= ?",
        "in_stock": "(stock > 0) = ?",
    }
    return _filtered(args, "SELECT sku, name, category, price, stock FROM products", conditions, "ORDER BY sku LIMIT ?")


async def get_inventory(args: ToolArgs) -> list[Row]:
    """The stock of the given products, in the given order."""

    async def one(sku: str) -> Row:
        rows = await asyncio.to_thread(
            query, args.env, "SELECT sku, name, stock, reorder_level FROM products WHERE sku = ?", [sku]
        )
        if not rows:
            raise ToolError(f"there is no product {sku}")
        return rows[0]

    return list(await asyncio.gather(*map(one, args["sku"])))


def low_stock(args: ToolArgs) -> list[Row]:
    """Products whose stock has fallen to the reorder level, the scarcest first."""
    sql = "SELECT sku, name, stock, reorder_level FROM products WHERE stock <= reorder_level ORDER BY stock, sku LIMIT ?"
    return query(args.env, sql, [args["limit"]])


_GROUPS = {
    "month": "substr(o.ordered_on, 1, 7)",
    "category": "p.category",
    "country": "u.country",
    "product": "p.name",
}


async def sales_report(args: ToolArgs) -> list[Row]:
    """Orders, pieces and revenue by month, category, country or product; cancelled orders are not counted."""
    group = _GROUPS[args["by"]]
    sql = (
        f"SELECT {group} AS name, count(DISTINCT o.id) AS orders, sum(i.quantity) AS pieces, "  # noqa: S608 - from _GROUPS
        "sum(i.quantity * i.price) AS revenue "
        "FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products p USING (sku) JOIN users u ON u.id = o.user_id "
        "WHERE o.status <> 'cancelled' AND o.ordered_on BETWEEN ? AND ? GROUP BY 1 ORDER BY 1"
    )
    values = [args.get("since", "0000"), args.get("until", "9999")]
    return await asyncio.to_thread(query, args.env, sql, values)


def list_discounts(args: ToolArgs) -> list[Row]:
    """All discount codes, or those valid on a day."""
    conditions = {"valid_on": "(valid_until IS NULL OR valid_until >= ?)"}
    return _filtered(args, "SELECT * FROM discounts", conditions, "ORDER BY code LIMIT ?")


def create_discount(args: ToolArgs) -> Row:
    """Add a discount code."""
    row = {"code": args["code"], "percent": args["percent"], "valid_until": args.get("valid_until"), "minimum": args["minimum"]}
    try:
        execute(args.env, "INSERT INTO discounts (code, percent, valid_until, minimum) VALUES (?, ?, ?, ?)", list(row.values()))
    except sqlite3.IntegrityError:
        raise ToolError(f"the code {args['code']} is taken already") from None
    return row
