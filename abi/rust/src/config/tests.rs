//! Reads a tree of a host made up here.

use std::cell::RefCell;
use std::os::raw::c_void;

use super::*;

/// Node 0 is an object; the others are its members, in order.
struct Tree {
    members: Vec<(&'static str, Value)>,
    errors: RefCell<Vec<String>>,
}

enum Value {
    Number(i64),
    Quantity(i64),
    Nanoseconds(i64),
}

unsafe fn tree<'a>(config: *const berth_config) -> &'a Tree {
    &*((*config).context as *const Tree)
}

unsafe fn value<'a>(config: *const berth_config, node: u32) -> Option<&'a Value> {
    tree(config).members.get((node as usize).wrapping_sub(1)).map(|member| &member.1)
}

unsafe extern "C" fn kind(config: *const berth_config, node: u32) -> u32 {
    match value(config, node) {
        None => BERTH_CONFIG_OBJECT,
        Some(Value::Number(_)) => BERTH_CONFIG_NUMBER,
        Some(_) => BERTH_CONFIG_STRING,
    }
}

unsafe extern "C" fn member(config: *const berth_config, _: u32, name: berth_string) -> u32 {
    let name = from_abi(name);
    let found = tree(config).members.iter().position(|member| member.0 == name);
    found.map_or(BERTH_CONFIG_ABSENT, |found| found as u32 + 1)
}

unsafe extern "C" fn integer(config: *const berth_config, node: u32, out: *mut i64) -> u32 {
    match value(config, node) {
        Some(Value::Number(number)) => *out = *number,
        _ => return 0,
    }
    1
}

unsafe extern "C" fn error(
    config: *const berth_config,
    node: u32,
    below: berth_string,
    text: berth_string,
) {
    let at = match (node as usize).checked_sub(1) {
        Some(member) => tree(config).members[member].0,
        None => "",
    };
    let text = format!("{}{}: {}", at, from_abi(below), from_abi(text));
    tree(config).errors.borrow_mut().push(text);
}

unsafe extern "C" fn members(config: *const berth_config, _: u32) -> u32 {
    tree(config).members.len() as u32
}

unsafe extern "C" fn member_at(
    config: *const berth_config,
    _: u32,
    i: u32,
    name: *mut berth_string,
) -> u32 {
    *name = to_abi(tree(config).members[i as usize].0);
    i + 1
}

unsafe extern "C" fn quantity(
    config: *const berth_config,
    node: u32,
    parts: u32,
    out: *mut i64,
) -> u32 {
    match value(config, node) {
        Some(Value::Quantity(amount)) => *out = *amount * i64::from(parts),
        _ => return 0,
    }
    1
}

unsafe extern "C" fn duration(config: *const berth_config, node: u32, out: *mut i64) -> u32 {
    match value(config, node) {
        Some(Value::Nanoseconds(time)) => *out = *time,
        _ => return 0,
    }
    1
}

/// The errors that `read` reports about these members.
fn errors_of(
    members_of_root: Vec<(&'static str, Value)>,
    size: u32,
    read: impl FnOnce(&Config<'_>),
) -> Vec<String> {
    let tree = Tree { members: members_of_root, errors: RefCell::default() };
    let raw = berth_config {
        size,
        reserved: 0,
        context: &tree as *const Tree as *mut c_void,
        kind: Some(kind),
        length: None,
        element: None,
        member: Some(member),
        accept: None,
        boolean: None,
        integer: Some(integer),
        number: None,
        string: None,
        error: Some(error),
        members: Some(members),
        member_at: Some(member_at),
        quantity: Some(quantity),
        duration: Some(duration),
        rule: None,
    };
    read(&unsafe { Config::new(&raw) });
    tree.errors.into_inner()
}

const WHOLE: u32 = size_of::<berth_config>();

#[test]
fn members_come_in_order_and_report_at_their_place() {
    let tree = vec![("cad", Value::Number(2)), ("render", Value::Number(-1))];
    let errors = errors_of(tree, WHOLE, |config| {
        let seats: Vec<_> = config
            .members()
            .iter()
            .map(|(name, seats)| (name.to_string(), seats.integer(7, 0..=10)))
            .collect();
        assert_eq!(seats, [("cad".to_string(), 2), ("render".to_string(), 7)]);
        // What is no object has none.
        assert!(config.member("cad").members().is_empty());
        assert!(config.member("absent").members().is_empty());
    });
    assert_eq!(errors, ["render: must be from 0 to 10", "cad: must be an object"]);
}

#[test]
fn quantities_have_parts() {
    let tree = vec![("memory", Value::Quantity(3)), ("many", Value::Number(3))];
    let errors = errors_of(tree, WHOLE, |config| {
        assert_eq!(config.member("memory").quantity(0, 1), 3);
        assert_eq!(config.member("memory").quantity(0, 1000), 3000);
        assert_eq!(config.member("absent").quantity(5, 1), 5);
        assert_eq!(config.member("many").quantity(6, 1), 6);
    });
    assert_eq!(errors, ["many: must be a quantity such as 500m or 2Gi"]);
}

#[test]
fn durations_are_not_negative() {
    let tree = vec![("grace", Value::Nanoseconds(90)), ("past", Value::Nanoseconds(-1))];
    let errors = errors_of(tree, WHOLE, |config| {
        let fallback = Duration::from_secs(1);
        assert_eq!(config.member("grace").duration(fallback), Duration::from_nanos(90));
        assert_eq!(config.member("past").duration(fallback), fallback);
        assert_eq!(config.member("absent").duration(fallback), fallback);
    });
    assert_eq!(errors, ["past: must be a duration such as 1m30s"]);
}

#[test]
#[should_panic(expected = "as before ABI 1.2")]
fn a_former_host_is_named() {
    let tree = vec![("grace", Value::Nanoseconds(90))];
    errors_of(tree, WHOLE - 16, |config| {
        assert_eq!(config.members().len(), 1);
        config.member("grace").duration(Duration::ZERO);
    });
}
