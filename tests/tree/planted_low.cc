int planted_low() { return 1; }
