"""Names that other packages have always imported from here; the engine itself is native."""
