// Uses what the middle may use, without being allowed to.
int planted_low();
int planted_middle();
int planted_top() { return planted_low() + planted_middle(); }
