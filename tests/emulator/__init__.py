"""The built functions under AWS's Lambda emulator, with every file of events/."""
