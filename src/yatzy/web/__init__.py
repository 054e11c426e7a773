"""The web page and the HTTP API. They serve the results of the library and compute nothing themselves."""
