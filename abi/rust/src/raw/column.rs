//! Columns: `berth/abi/column.h`, whose comments are the contract.

use std::os::raw::c_void;

structs! {
    berth_column {
        data: *const c_void,
        starts: *const u32,
        sizes: *const u32,
        validity: *const u64,
        count: u64,
        generation: u64,
        r#type: u32,
        dictionary_size: u32,
    }
}

numbers! {
    BERTH_U8: i32 = 1;
    BERTH_U32: i32 = 2;
    BERTH_I32: i32 = 3;
    BERTH_I64: i32 = 4;
    BERTH_U64: i32 = 5;
    BERTH_F64: i32 = 6;
}
