"""`uring deploy`: from the account to the first tick, in steps that can be killed and repeated.

    stage ─► account ─► stack ─► build ─► deploy ─► lists, client ─► doctor ─► schedule

Each step looks first, and does only what is left to do. The run ends at the first failure, with its
remedy.
"""
