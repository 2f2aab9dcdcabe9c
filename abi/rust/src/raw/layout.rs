//! Compares this layer with `abi/layout.list`, which holds what the C headers are.
//!
//! The list is found beside the crate, or at the path in the variable BERTH_LAYOUT_LIST.

use std::collections::BTreeMap;

pub(super) struct Struct {
    pub name: &'static str,
    pub size: usize,
    pub members: Vec<Member>,
}

pub(super) struct Member {
    pub name: &'static str,
    pub offset: usize,
    pub size: usize,
    pub type_name: &'static str,
}

/// Reads a type of Rust and writes it as the list does.
struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn take(&mut self, text: &str) -> bool {
        let rest = self.0.trim_start();
        if let Some(after) = rest.strip_prefix(text) {
            self.0 = after;
            return true;
        }
        false
    }

    fn need(&mut self, text: &str) {
        assert!(self.take(text), "expected {:?} at {:?}", text, self.0);
    }

    fn word(&mut self) -> &'a str {
        let rest = self.0.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.0 = &rest[end..];
        &rest[..end]
    }

    fn pointer(target: String, constant: bool) -> String {
        match target.strip_suffix(" [16]") {
            Some(element) => format!("{element} (*) [16]"),
            None => target + if constant { " const*" } else { "*" },
        }
    }

    fn function(&mut self) -> String {
        self.need("unsafe");
        self.need("extern");
        self.need("\"C\"");
        self.need("fn");
        self.need("(");
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.read());
            self.take(",");
        }
        let result = if self.take("->") { self.read() } else { "void".to_string() };
        format!("{result} (*)({})", arguments.join(", "))
    }

    fn read(&mut self) -> String {
        if self.take("*") {
            let constant = self.take("const");
            if !constant {
                self.need("mut");
            }
            return Self::pointer(self.read(), constant);
        }
        if self.take("[") {
            let element = self.read();
            self.need(";");
            let count = self.word();
            self.need("]");
            return format!("{element} [{count}]");
        }
        let word = self.word();
        match word {
            "Option" => {
                self.need("<");
                let function = self.function();
                self.need(">");
                function
            }
            "c_char" => "char".to_string(),
            "c_void" => "void".to_string(),
            "u8" => "unsigned char".to_string(),
            "u16" => "unsigned short".to_string(),
            "u32" => "unsigned int".to_string(),
            "u64" => "unsigned long".to_string(),
            "i32" => "int".to_string(),
            "i64" => "long".to_string(),
            "f64" => "double".to_string(),
            name => {
                assert!(name.starts_with("berth_"), "an unknown type: {name:?}");
                name.to_string()
            }
        }
    }
}

fn in_c(type_name: &str) -> String {
    let mut reader = Reader(type_name);
    let read = reader.read();
    assert_eq!(reader.0.trim(), "", "behind the type {type_name:?}");
    read
}

fn all_structs() -> Vec<Struct> {
    let modules: [fn() -> Vec<Struct>; 16] = [
        super::base::structs,
        super::bind::structs,
        super::column::structs,
        super::config::structs,
        super::counts::structs,
        super::enqueue::structs,
        super::filter::structs,
        super::hook::structs,
        super::host::structs,
        super::numbers::structs,
        super::observe::structs,
        super::overlay::structs,
        super::plugin::structs,
        super::run::structs,
        super::score::structs,
        super::volumes::structs,
    ];
    modules.iter().flat_map(|structs| structs()).collect()
}

type Number = (&'static str, String, &'static str);

fn all_numbers() -> Vec<Number> {
    let modules: [fn() -> Vec<Number>; 12] = [
        super::base::numbers,
        super::bind::numbers,
        super::column::numbers,
        super::config::numbers,
        super::counts::numbers,
        super::enqueue::numbers,
        super::hook::numbers,
        super::host::numbers,
        super::numbers::numbers,
        super::plugin::numbers,
        super::run::numbers,
        super::score::numbers,
    ];
    let mut all: Vec<Number> = modules.iter().flat_map(|numbers| numbers()).collect();
    all.extend(super::volumes::numbers());
    all
}

fn all_texts() -> Vec<(&'static str, &'static str)> {
    let modules: [fn() -> Vec<(&'static str, &'static str)>; 11] = [
        super::bind::texts,
        super::counts::texts,
        super::enqueue::texts,
        super::filter::texts,
        super::host::texts,
        super::observe::texts,
        super::overlay::texts,
        super::plugin::texts,
        super::run::texts,
        super::score::texts,
        super::volumes::texts,
    ];
    modules.iter().flat_map(|texts| texts()).collect()
}

/// The declarations of this layer, by name, in the words of the list.
fn declared() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for one in all_structs() {
        all.insert(format!("{} size", one.name), format!("{} bytes", one.size));
        for member in one.members {
            let name = member.name.trim_start_matches("r#").trim_end_matches('_');
            all.insert(
                format!("{}.{name}", one.name),
                format!("at {}, {} bytes, {}", member.offset, member.size, in_c(member.type_name)),
            );
        }
    }
    for (name, value, type_name) in all_numbers() {
        all.insert(name.to_string(), format!("{value}, {}", in_c(type_name)));
    }
    for (name, text) in all_texts() {
        all.insert(name.to_string(), format!("{text:?}"));
    }
    all.insert("berth_code".to_string(), in_c("i32"));
    all.insert(
        "berth_plugin_entry_fn".to_string(),
        in_c("Option<unsafe extern \"C\" fn() -> *const berth_plugin_descriptor>"),
    );
    all
}

/// The contents of the list, without columns. Of a struct that grew the last size.
fn listed(list: &str) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for line in list.lines().filter(|line| !line.starts_with("column ")) {
        let (name, value) = line.split_once(" = ").expect("a name and a value");
        let value = value.rsplit_once(", since 1.").expect("a version").0;
        if let Some((structure, _)) = name.split_once(" size in ") {
            all.insert(format!("{structure} size"), value.to_string());
        } else if let Some(size) = value.strip_prefix("struct, ") {
            all.insert(format!("{name} size"), size.to_string());
        } else if value != "struct that grows" {
            all.insert(name.to_string(), value.to_string());
        }
    }
    all
}

fn list_path() -> String {
    std::env::var("BERTH_LAYOUT_LIST").unwrap_or_else(|_| {
        let crate_folder = option_env!("CARGO_MANIFEST_DIR").expect("set BERTH_LAYOUT_LIST");
        format!("{crate_folder}/../layout.list")
    })
}

#[test]
fn is_that_of_the_list() {
    let path = list_path();
    let list = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut ours = declared();
    ours.remove("BERTH_ABI_MINOR"); // the list has no entry for what grows
    let theirs = listed(&list);
    let mut problems = Vec::new();
    for (name, value) in &theirs {
        match ours.remove(name) {
            None => problems.push(format!("{name} = {value}: not declared here")),
            Some(mine) if &mine != value => {
                problems.push(format!("{name} = {value}: declared here as {mine}"))
            }
            Some(_) => {}
        }
    }
    problems
        .extend(ours.into_iter().map(|(name, value)| format!("{name} = {value}: not in {path}")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(theirs.len() > 300, "only {} entries in {path}", theirs.len());
}

/// The minor version is that of the last entry of the list, or a later one.
#[test]
fn minor_version_covers_the_list() {
    let list = std::fs::read_to_string(list_path()).expect("the list");
    let last =
        list.lines().filter_map(|line| line.rsplit_once("since 1.")?.1.parse::<i32>().ok()).max();
    assert!(Some(super::BERTH_ABI_MINOR) >= last, "{last:?}");
}

#[test]
fn types_are_read() {
    assert_eq!(in_c("*const c_char"), "char const*");
    assert_eq!(in_c("* mut [u8 ; 16]"), "unsigned char (*) [16]");
    assert_eq!(
        in_c("Option < unsafe extern \"C\" fn(* mut c_void, Option<unsafe extern \"C\" fn(u64)>)->i32>"),
        "int (*)(void*, void (*)(unsigned long))"
    );
}
