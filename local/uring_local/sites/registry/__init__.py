"""Two invented universities' registries of regulations on loopback, a day a tick.

    seed ─► stories ─► the page of every day, files ─► site: page, preview, download, robots.txt
                         └─► journal ─► judge ◄─ table, objects, pushes

The content of a page and of a file depends on the seed and the day alone. The journal reads the
model's pages by the document's rules and shares no code with the product.
"""
