"""Every ordinary statement, one module per resource. Functions take the session they run on, so that a caller decides
what belongs to one transaction; texts and numbers come here checked.
"""
