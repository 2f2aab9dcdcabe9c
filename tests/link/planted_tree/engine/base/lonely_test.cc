// A test that nobody registered: check_strays.cmake has to notice.
