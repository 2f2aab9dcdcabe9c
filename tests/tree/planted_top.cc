// Uses a module that only the middle module may use.
int planted_low();
int planted_middle();
int planted_top() { return planted_low() + planted_middle(); }
