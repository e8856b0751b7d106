"""A small client of Todas: HTTP with safe repeats, and a stream that resumes. It knows the public contract alone.
The README beside this package shows how to use it.
"""

from __future__ import annotations

from todas_client.client import Client as Client, new_id as new_id
from todas_client.connection import NoSocket as NoSocket
from todas_client.problems import Closed as Closed, Problem as Problem, Unreachable as Unreachable
from todas_client.shapes import Action as Action, Frame as Frame, View as View

__all__ = ["Action", "Client", "Closed", "Frame", "NoSocket", "Problem", "Unreachable", "View", "new_id"]
