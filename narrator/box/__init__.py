"""The speaker box: no screen, a keypad, and a loudspeaker that says everything."""
