"""This package's metrics behind the interfaces of other packages; each module needs its package when used."""
