"""HTTP APIs of a template on a stack that ignores their definition.

`routes`    what SAM's expansion of the template says
`gateway`   that, made on the stack
`event`     a request as a function gets it
"""
