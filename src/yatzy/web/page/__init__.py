"""The web page: views that query the service and show its answers. No rules and no computation here."""
