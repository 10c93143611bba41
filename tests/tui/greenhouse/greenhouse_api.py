"""The callbacks of greenhouse.yaml."""

from bashkit import ToolError

NAMES = {1: "Fern", 2: "Aloe"}


def get_plant(args):
    """One plant."""
    if args["id"] not in NAMES:
        raise ToolError(f"there is no plant {args['id']}")
    return {"id": args["id"], "name": NAMES[args["id"]]}


def list_plants(args):
    """All of them."""
    return [{"id": number, "name": name} for number, name in NAMES.items()]


def water(args):
    """Count a litre."""
    return f"watered {NAMES[args['id']]}\n"
