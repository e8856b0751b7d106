"""The HTTP routes, one module for each resource. They translate; what happens is decided below them."""
