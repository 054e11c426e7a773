"""Components shared by several views."""
