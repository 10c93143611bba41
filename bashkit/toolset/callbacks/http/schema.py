"""The JSON Schema of the keys under ``http`` in a toolset file."""

from __future__ import annotations

from typing import Any

from bashkit.toolset.schema_fragments import ALLOW, ALLOW_PRIVATE, URL, header_texts, table


def _name(title: str, description: str, example: str, **more: str) -> dict[str, Any]:
    return {"title": title, "description": description, "type": "string", "minLength": 1, "examples": [example], **more}


REQUEST_SCHEMA = {"required": ["url"]} | table(
    "HTTP request",
    "An HTTP request. In its texts {name} is replaced by an argument, ${VAR} from env and secrets; {{ and }} are braces.",
    {
        "method": {
            "title": "Method",
            "description": "The method.",
            "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
            "default": "GET",
            "examples": ["POST"],
        },
        "url": {
            "title": "URL",
            "description": "The address; arguments are percent-encoded: https://api.example.com/users/{id}.",
            "type": "string",
            "pattern": URL,
            "examples": ["https://api.example.com/users/{id}"],
        },
        "headers": header_texts(
            "Headers; a header whose arguments are all missing is left out.", {"Authorization": "Bearer ${API_KEY}"}
        ),
        "query": {
            "title": "Query",
            "description": (
                'The query of the URL. "{ids}" repeats the key for every item of an array, "{ids|,}" joins them; '
                "a parameter whose arguments are all missing is left out."
            ),
            "type": "object",
            "additionalProperties": {
                "description": "Text with {name}, number or boolean.",
                "type": ["string", "number", "boolean"],
            },
            "default": {},
            "examples": [{"limit": "{limit}", "sort": "name"}],
        },
        "basic": {
            "title": "Basic",
            "description": "User and password for basic authentication: ${USER}:${PASSWORD}.",
            "type": "string",
            "minLength": 1,
            "examples": ["${USER}:${PASSWORD}"],
        },
        "body": {
            "title": "Body",
            "description": (
                'The body: JSON, in which "{name}" is replaced by an argument\'s value and left out if that is missing; '
                "a form if the Content-Type says so."
            ),
            "examples": [{"name": "{name}", "tags": "{tags}"}],
        },
        "files": {
            "title": "Files",
            "description": (
                "The parameters that are paths of files of the session (- for standard input): their contents are sent, as parts "
                "where the Content-Type is multipart/form-data, or as the body itself."
            ),
            "type": "array",
            "items": {"description": "A parameter.", "type": "string", "minLength": 1},
            "default": [],
            "examples": [["photo"]],
        },
        "output": {
            "title": "Output",
            "description": "The parameter that is the path of the session's file in which the answer is saved, if it is given.",
            "type": "string",
            "minLength": 1,
            "examples": ["output_file"],
        },
        "pages": table(
            "Pages",
            "How the pages of an answer follow each other, where a parameter asks for all of them. Link headers, and addresses "
            "and cursors of a next page in the body, are found by themselves.",
            {
                "all": _name("All", "The boolean parameter that asks for all pages.", "all", default="all"),
                "cursor": _name("Cursor", "The query parameter that takes the cursor of an answer.", "page_token"),
                "page": _name("Page", "The query parameter that counts pages.", "page"),
                "offset": _name("Offset", "The query parameter that counts items.", "offset"),
                "first": {
                    "title": "First",
                    "description": "The number of the first page.",
                    "type": "integer",
                    "default": 1,
                    "examples": [0],
                },
            },
            examples=[{"all": "all", "page": "page"}],
        ),
        "allow": ALLOW,
        "allow_private": ALLOW_PRIVATE,
    },
    examples=[{"url": "https://api.example.com/users/{id}", "headers": {"Authorization": "Bearer ${API_KEY}"}}],
)
