//! The ELF note with the plugin's identity: `BERTH_PLUGIN_NOTE` of `berth/abi/plugin.h`.

use crate::raw::*;

/// The contents of the section `.note.berth`. `N`: `note_size` of the text.
#[repr(C)]
pub struct Note<const N: usize> {
    name_size: u32,
    description_size: u32,
    r#type: u32,
    owner: [u8; 8],
    versions: [u16; 4],
    text: [u8; N],
}

/// The size of the text with its zero byte, padded to words.
pub const fn note_size(text: &str) -> usize {
    (text.len() + 1 + 3) / 4 * 4
}

/// The later of two minor versions.
pub const fn later(one: u16, other: u16) -> u16 {
    if one > other {
        one
    } else {
        other
    }
}

impl<const N: usize> Note<N> {
    /// `text`: id, name, points, and perhaps what is needed, each followed by a newline.
    pub const fn new(text: &str, minor_needed: u16) -> Self {
        let bytes = text.as_bytes();
        let mut padded = [0; N];
        let mut i = 0;
        while i < bytes.len() {
            padded[i] = bytes[i];
            i += 1;
        }
        Note {
            name_size: 6,
            description_size: 8 + bytes.len() as u32 + 1,
            r#type: BERTH_NOTE_TYPE,
            owner: *b"Berth\0\0\0",
            versions: [BERTH_ABI_MAJOR as u16, minor_needed, BERTH_ABI_MINOR as u16, 0],
            text: padded,
        }
    }
}
