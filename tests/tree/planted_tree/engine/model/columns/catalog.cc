// A catalog that differs from the page of columns; read by check_columns.sh.
constexpr Known kKnown[] = {
    {"lamp.lit", A::kLit, kN, BERTH_U8, false, 0},
    {"lamp.bright", A::kBright, kN, BERTH_U8, false, 0},
    {"lamp.volts:", A::kVolts, kN, BERTH_I64, false, 0},
};
