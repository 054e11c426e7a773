"""Results as text: words, numbers, sheets and documents, for the terminal, Markdown, HTML and JSON, in any language."""
