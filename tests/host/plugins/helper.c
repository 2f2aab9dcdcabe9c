/* A library that the plugin needs_helper.so needs. */

int berth_test_helper(void);
int berth_test_helper(void) { return 1; }
