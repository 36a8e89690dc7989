"""The one place where services are built and adapters chosen, one module per function.

    build(environment) ─► handle(event, context)

Called on first use, never at import. A local run passes a session, a clock and a telemetry of its
own; everything else comes from the environment that the template sets.
"""
