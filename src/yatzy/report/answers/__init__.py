"""Answers: the JSON objects of the command line (`--json`) and of the HTTP API, one module per topic.

Each answer is a frozen dataclass with the fields of its JSON object in their order, and a function makes it from a
result of the library. `json_text` writes it. The API names the same classes as its response models, so that OpenAPI
describes what is really sent, with the docstrings of the fields as descriptions.
"""
