"""A report over documents: a deployment reads them by resource refs, nodes examine them, and the run is kept.

File by file: `nodes` is plain Python with types, `workflow` wires the nodes into a document, `server` binds its logical
sources to concrete ones, `__main__` runs it and prints what came out.
"""
