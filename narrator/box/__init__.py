"""The speaker box: a machine that leads games as soon as it is switched on, as a service of the user's own systemd."""
