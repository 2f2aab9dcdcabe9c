// An unregistered test. check_strays.cmake must report it.
