"""HTTP APIs of a template on a stack that ignores their definition.

`routes`    the routes in SAM's expansion of the template
`gateway`   creates them on the stack
`event`     a request in the form for a function
"""
