int planted_low();
int planted_middle() { return planted_low() + 1; }
