"""Worker processes for libraries in C that a script could crash: started without rights, lent, and killed when they overrun.

``pool`` starts, lends and ends them; ``exchange`` is one command's conversation with one; ``program`` is what they run.
"""
