"""The hot loops, in Numba: flat arrays in, arrays out; nothing here validates, allocates tables or knows names."""
