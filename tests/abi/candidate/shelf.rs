//! A plugin with PreFilter, Filter and Score, in Rust without a crate: the declarations below were
//! written by hand from the C headers of ABI 1.1.
//!
//! Pods with the label example.com/shelf run only on nodes with the same label. Nodes with more
//! free CPU score higher.

#![no_std]

use core::ffi::c_void;
use core::mem::size_of;
use core::panic::PanicInfo;
use core::ptr::{addr_of, null};

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    unsafe { abort() }
}

#[link(name = "c")]
extern "C" {
    fn abort() -> !;
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
}

// base.h, column.h

#[repr(C)]
#[derive(Clone, Copy)]
struct Str {
    data: *const u8,
    size: u64,
}

const fn text(value: &'static str) -> Str {
    Str { data: value.as_ptr(), size: value.len() as u64 }
}

type Code = i32;
const SUCCESS: Code = 0;
const ERROR: Code = 1;
const UNRESOLVABLE: u8 = 3;
const SKIP: Code = 5;
const U32: u32 = 2;
const I64: u32 = 4;

#[repr(C)]
struct Sink {
    size: u32,
    reserved: u32,
    context: *mut c_void,
    write: extern "C" fn(*mut c_void, Str),
}

#[repr(C)]
struct Column {
    data: *const c_void,
    starts: *const u32,
    sizes: *const u32,
    validity: *const u64,
    count: u64,
    generation: u64,
    kind: u32,
    dictionary_size: u32,
}

// hook.h

#[repr(C)]
struct Call {
    size: u32,
    ran: u32,
    count: u64,
    mask: *const u64,
    columns: *const Column,
    column_count: u32,
    reserved: u32,
    state: *const State,
    error: *const Sink,
}

#[repr(C)]
struct Template {
    size: u32,
    column_count: u32,
    columns: *const Column,
    error: *const Sink,
}

#[repr(C)]
struct Prepared {
    size: u32,
    flags: u32,
    inputs: *const u32,
    input_count: u32,
    reserved: u32,
    state: *mut State,
}

type Prepare = extern "C" fn(*mut Plugin, *const Template, *mut Prepared) -> Code;
type Release = extern "C" fn(*mut Plugin, *mut State);
type Describe = extern "C" fn(*mut Plugin, *const Call, u32, *const Sink);

#[repr(C)]
struct Hook {
    size: u32,
    depends: u32,
    space: Str,
    inputs: *const Str,
    input_count: u32,
    reserved: u32,
    prepare: Option<Prepare>,
    release: Option<Release>,
    describe: Option<Describe>,
    input_types: *const u32,
}

// filter.h, score.h

#[repr(C)]
struct PreFilterResult {
    size: u32,
    code: Code,
    reason: u32,
    narrows: u32,
    node_names: *const u32,
    node_name_count: u64,
}

#[repr(C)]
struct PreFilterTable {
    size: u32,
    reserved: u32,
    hook: *const Hook,
    pre_filter: extern "C" fn(*mut Plugin, *const Call, *mut PreFilterResult) -> Code,
}

#[repr(C)]
struct FilterTable {
    size: u32,
    reserved: u32,
    hook: *const Hook,
    filter: extern "C" fn(*mut Plugin, *const Call, *mut u8) -> Code,
    reasons: extern "C" fn(*mut Plugin, *const Call, *mut u32) -> Code,
}

#[repr(C)]
struct ScoreTable {
    size: u32,
    normalise: u32,
    hook: *const Hook,
    score: extern "C" fn(*mut Plugin, *const Call, *mut i64) -> Code,
    normalise_own: Option<extern "C" fn()>,
}

const NORMALISE_MAX: u32 = 1;

// plugin.h

#[repr(C)]
struct Descriptor {
    size: u32,
    abi_major: u16,
    abi_minor_needed: u16,
    abi_minor_built: u16,
    reserved0: u16,
    reserved1: u32,
    id: Str,
    name: Str,
    version: Str,
    extension_points: Str,
    validate: Option<extern "C" fn()>,
    create: extern "C" fn() -> *mut Plugin,
    init: extern "C" fn(*mut Plugin, *const c_void, *const c_void, *const Sink) -> Code,
    extension: extern "C" fn(*mut Plugin, Str) -> *const c_void,
    destroy: extern "C" fn(*mut Plugin),
}

// Tables and texts never change, so they may be shared.
unsafe impl Sync for Hook {}
unsafe impl Sync for PreFilterTable {}
unsafe impl Sync for FilterTable {}
unsafe impl Sync for ScoreTable {}
unsafe impl Sync for Descriptor {}
unsafe impl Sync for Str {}

const POINTS: &str = "berth.pre_filter/0 berth.filter/0 berth.score/0";
const NOTE_TEXT: [u8; 88] =
    *b"io.berth.candidate.shelf\nCandidateShelf\nberth.pre_filter/0 berth.filter/0 berth.score/0\n";

#[repr(C, align(4))]
struct Note {
    name_size: u32,
    description_size: u32,
    kind: u32,
    owner: [u8; 8],
    versions: [u16; 4],
    text: [u8; 88],
    end: u8,
}

#[used]
#[link_section = ".note.berth"]
static NOTE: Note = Note {
    name_size: 6,
    description_size: 8 + 88 + 1,
    kind: 1,
    owner: *b"Berth\0\0\0",
    versions: [1, 0, 1, 0],
    text: NOTE_TEXT,
    end: 0,
};

/// An instance. It counts its states, so that a release that is missed shows in `destroy`.
#[repr(C)]
struct Plugin {
    states: u32,
}

/// A template's: the label that its pods want.
#[repr(C)]
struct State {
    wanted: u32,
}

unsafe fn value<T: Copy>(columns: *const Column, column: usize, position: usize) -> T {
    *((*columns.add(column)).data as *const T).add(position)
}

extern "C" fn prepare(plugin: *mut Plugin, pod: *const Template, prepared: *mut Prepared) -> Code {
    unsafe {
        let state = calloc(1, size_of::<State>()) as *mut State;
        if state.is_null() {
            return ERROR;
        }
        (*state).wanted = value((*pod).columns, 0, 0);
        (*prepared).state = state;
        (*plugin).states += 1;
    }
    SUCCESS
}

extern "C" fn release(plugin: *mut Plugin, state: *mut State) {
    unsafe {
        (*plugin).states -= 1;
        free(state as *mut c_void);
    }
}

extern "C" fn describe(_: *mut Plugin, _: *const Call, _: u32, sink: *const Sink) {
    unsafe { ((*sink).write)((*sink).context, text("node(s) had another shelf")) }
}

extern "C" fn pre_filter(_: *mut Plugin, call: *const Call, result: *mut PreFilterResult) -> Code {
    unsafe {
        if (*(*call).state).wanted == 0 {
            (*result).code = SKIP;
        }
    }
    SUCCESS
}

extern "C" fn filter(_: *mut Plugin, call: *const Call, verdicts: *mut u8) -> Code {
    unsafe {
        let wanted = (*(*call).state).wanted;
        for i in 0..(*call).count as usize {
            let shelf: u32 = value((*call).columns, 1, i);
            *verdicts.add(i) = if wanted == 0 || shelf == wanted { 0 } else { UNRESOLVABLE };
        }
    }
    SUCCESS
}

extern "C" fn reasons(_: *mut Plugin, call: *const Call, reasons: *mut u32) -> Code {
    unsafe {
        for i in 0..(*call).count as usize {
            *reasons.add(i) = 1;
        }
    }
    SUCCESS
}

extern "C" fn score(_: *mut Plugin, call: *const Call, raw: *mut i64) -> Code {
    unsafe {
        for i in 0..(*call).count as usize {
            let allocatable: i64 = value((*call).columns, 0, i);
            let requested: i64 = value((*call).columns, 1, i);
            *raw.add(i) = if allocatable > requested { allocatable - requested } else { 0 };
        }
    }
    SUCCESS
}

static SHELF_INPUTS: [Str; 2] =
    [text("pod.label:example.com/shelf"), text("node.label:example.com/shelf")];
static SHELF_TYPES: [u32; 2] = [U32, U32];
static SHELF_HOOK: Hook = Hook {
    size: size_of::<Hook>() as u32,
    depends: 0,
    space: Str { data: null(), size: 0 },
    inputs: addr_of!(SHELF_INPUTS) as *const Str,
    input_count: 2,
    reserved: 0,
    prepare: Some(prepare),
    release: Some(release),
    describe: Some(describe),
    input_types: addr_of!(SHELF_TYPES) as *const u32,
};
static CPU_INPUTS: [Str; 2] = [text("node.allocatable:cpu"), text("node.requested:cpu")];
static CPU_TYPES: [u32; 2] = [I64, I64];
static CPU_HOOK: Hook = Hook {
    size: size_of::<Hook>() as u32,
    depends: 0,
    space: Str { data: null(), size: 0 },
    inputs: addr_of!(CPU_INPUTS) as *const Str,
    input_count: 2,
    reserved: 0,
    prepare: None,
    release: None,
    describe: None,
    input_types: addr_of!(CPU_TYPES) as *const u32,
};
static PRE_FILTER: PreFilterTable = PreFilterTable {
    size: size_of::<PreFilterTable>() as u32,
    reserved: 0,
    hook: addr_of!(SHELF_HOOK),
    pre_filter,
};
// Filter and Score as in ABI 1.0, without the function `numbers`.
static FILTER: FilterTable = FilterTable {
    size: size_of::<FilterTable>() as u32,
    reserved: 0,
    hook: addr_of!(SHELF_HOOK),
    filter,
    reasons,
};
static SCORE: ScoreTable = ScoreTable {
    size: size_of::<ScoreTable>() as u32,
    normalise: NORMALISE_MAX,
    hook: addr_of!(CPU_HOOK),
    score,
    normalise_own: None,
};

extern "C" fn create() -> *mut Plugin {
    unsafe { calloc(1, size_of::<Plugin>()) as *mut Plugin }
}

extern "C" fn init(_: *mut Plugin, _: *const c_void, _: *const c_void, _: *const Sink) -> Code {
    SUCCESS
}

extern "C" fn extension(_: *mut Plugin, id: Str) -> *const c_void {
    match unsafe { core::slice::from_raw_parts(id.data, id.size as usize) } {
        b"berth.pre_filter/0" => addr_of!(PRE_FILTER) as *const c_void,
        b"berth.filter/0" => addr_of!(FILTER) as *const c_void,
        b"berth.score/0" => addr_of!(SCORE) as *const c_void,
        _ => null(),
    }
}

extern "C" fn destroy(plugin: *mut Plugin) {
    unsafe {
        if (*plugin).states != 0 {
            abort();
        }
        free(plugin as *mut c_void);
    }
}

static DESCRIPTOR: Descriptor = Descriptor {
    size: size_of::<Descriptor>() as u32,
    abi_major: 1,
    abi_minor_needed: 0,
    abi_minor_built: 1,
    reserved0: 0,
    reserved1: 0,
    id: text("io.berth.candidate.shelf"),
    name: text("CandidateShelf"),
    version: text("1.0.0"),
    extension_points: text(POINTS),
    validate: None,
    create,
    init,
    extension,
    destroy,
};

#[no_mangle]
pub extern "C" fn berth_plugin_entry_v1() -> *const c_void {
    addr_of!(DESCRIPTOR) as *const c_void
}
