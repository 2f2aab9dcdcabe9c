//! The parts that make a crate a plugin: the trait of what its hooks share, and the entry function.

use std::marker::PhantomData;
use std::os::raw::c_void;
use std::ptr::null;
use std::sync::Arc;

use crate::config::{Arguments, Config};
use crate::failure::{caught, guarded, keep_places_of_panics, Failure, Result};
use crate::host::{Cycle, Host};
use crate::instance::{Hooks, Slots};
use crate::raw::*;
use crate::text::slice;

/// The state that the hooks of an instance share, such as its arguments. `()` is a plugin without.
pub trait Plugin: Sized + Send + Sync + 'static {
    /// The arguments that a configuration may give; `()`: none.
    type Arguments: Arguments;

    /// \[init\] Looks up services. The arguments were validated before.
    fn init(host: &Host<'_>, arguments: Self::Arguments) -> Result<Self>;
}

impl Plugin for () {
    type Arguments = ();

    fn init(_: &Host<'_>, _: ()) -> Result<Self> {
        Ok(())
    }
}

/// The beginning of an instance: the host, and what the hooks share.
pub struct Start<'a, P> {
    host: Host<'a>,
    plugin: Arc<P>,
}

impl<'a, P> Start<'a, P> {
    /// The host.
    pub fn host(&self) -> &Host<'a> {
        &self.host
    }

    /// The state that the hooks share. A hook keeps a clone.
    pub fn plugin(&self) -> &Arc<P> {
        &self.plugin
    }

    /// The right to use services of the thread that owns the model.
    pub fn cycle(&self) -> Cycle<'a> {
        self.host.cycle()
    }
}

/// The functions of the descriptor.
pub struct Functions<H>(PhantomData<H>);

type Shared<H> = <H as Hooks>::Plugin;
type ArgumentsOf<H> = <Shared<H> as Plugin>::Arguments;

impl<H: Hooks> Functions<H> {
    /// Null if the plugin takes no arguments.
    pub const VALIDATE: Option<unsafe extern "C" fn(*const berth_config) -> berth_code> =
        if <ArgumentsOf<H> as Arguments>::TAKEN { Some(Self::validate) } else { None };

    unsafe extern "C" fn validate(config: *const berth_config) -> berth_code {
        let root = Config::new(config);
        match caught(|| {
            ArgumentsOf::<H>::read(&root);
            Ok(())
        }) {
            Ok(()) => BERTH_SUCCESS,
            Err(failure) => {
                root.error(&failure.to_string());
                BERTH_ERROR
            }
        }
    }

    /// As in the header.
    ///
    /// # Safety
    /// For the host.
    pub unsafe extern "C" fn create() -> *mut berth_plugin {
        let mut made = std::ptr::null_mut();
        let _ = caught(|| {
            made = Box::into_raw(Box::new(Slots::default())) as *mut berth_plugin;
            Ok(())
        });
        made
    }

    /// As in the header.
    ///
    /// # Safety
    /// For the host.
    pub unsafe extern "C" fn init(
        plugin: *mut berth_plugin,
        host: *const berth_host,
        config: *const berth_config,
        error: *const berth_text_sink,
    ) -> berth_code {
        guarded(error, || {
            let host = Host::new(host);
            let arguments = ArgumentsOf::<H>::read(&Config::new(config));
            let start = Start { host, plugin: Arc::new(Shared::<H>::init(&host, arguments)?) };
            let slots = &mut *(plugin as *mut Slots);
            H::fill(slots, &start)?;
            slots.check()
        })
    }

    /// As in the header.
    ///
    /// # Safety
    /// For the host.
    pub unsafe extern "C" fn extension(
        plugin: *mut berth_plugin,
        id: berth_string,
    ) -> *const c_void {
        let mut table = null();
        let _ = caught(|| {
            let id = slice(id.data as *const u8, id.size as usize);
            table = (*(plugin as *const Slots)).table(id);
            Ok(())
        });
        table
    }

    /// As in the header.
    ///
    /// # Safety
    /// For the host.
    pub unsafe extern "C" fn destroy(plugin: *mut berth_plugin) {
        // There is no way to report a panic in a destructor: the host's log may be gone.
        if let Err(failure) = caught(|| {
            drop(Box::from_raw(plugin as *mut Slots));
            Ok::<(), Failure>(())
        }) {
            eprintln!("the end of a plugin's instance: {}", failure);
        }
    }
}

/// The work of the entry function before it returns the descriptor.
pub fn entered(descriptor: &'static berth_plugin_descriptor) -> *const berth_plugin_descriptor {
    keep_places_of_panics();
    descriptor
}

/// Makes a plugin of hooks: the entry function `berth_plugin_entry_v1` and the ELF note. Once in a
/// crate of the type `cdylib`.
///
/// ```text
/// berth_plugin::plugin! {
///     id: "com.example.rack",       // reverse DNS, for ever yours
///     name: "Rack",                 // in configurations and reports
///     plugin: (),                   // the type that implements Plugin
///     hooks: { filter: Rack, score: Lamps },
///     version: "1.0.0",             // default: that of the package
///     needs: 3,                     // the minor version of the ABI that it needs; default: that
///                                   // which brought its hooks
///     // Columns and services that it cannot do without; default: not said.
///     requires: "berth.worker/0 pod.group",
/// }
/// ```
///
/// The names of the points are pre_enqueue, queue_sort, hints, pre_filter, filter, post_filter,
/// pre_score, score, reserve, permit, pre_bind, bind, post_bind, overlay_state and observe;
/// pre_bind_on_cycle is a PreBind on the thread of the model, and wide_queue_sort a QueueSort with
/// keys of a length of its own.
#[macro_export]
macro_rules! plugin {
    (
        id: $id:literal,
        name: $name:literal,
        plugin: $plugin:ty,
        hooks: { $first:ident: $first_hook:ty $(, $point:ident: $hook:ty)* $(,)? }
        $(, version: $version:expr)?
        $(, needs: $needs:expr)?
        $(, requires: $requires:literal)?
        $(,)?
    ) => {
        const _: () = {
            const POINTS: &str = concat!(
                $crate::point_id!($first)
                $(, " ", $crate::point_id!($point))*
            );
            const NOTE: &str = concat!(
                $id, "\n", $name, "\n",
                $crate::point_id!($first) $(, " ", $crate::point_id!($point))*,
                "\n"
                $(, $requires, "\n")?
            );
            #[allow(unused_mut, unused_assignments)]
            const NEEDED: u16 = {
                let mut needed = $crate::point_minor!($first);
                $(needed = $crate::internal::later(needed, $crate::point_minor!($point));)*
                $(needed = $crate::internal::later(needed, $needs);)?
                needed
            };
            #[allow(unused_mut, unused_assignments)]
            const VERSION: &str = {
                let mut version = match option_env!("CARGO_PKG_VERSION") {
                    Some(version) => version,
                    None => "0.0.0",
                };
                $(version = $version;)?
                version
            };

            struct All;
            impl $crate::internal::Hooks for All {
                type Plugin = $plugin;

                fn fill(
                    slots: &mut $crate::internal::Slots,
                    start: &$crate::Start<'_, $plugin>,
                ) -> $crate::Result {
                    $crate::internal::$first::<$first_hook>(slots, start)?;
                    $($crate::internal::$point::<$hook>(slots, start)?;)*
                    Ok(())
                }
            }

            #[used]
            #[link_section = ".note.berth"]
            static IDENTITY: $crate::internal::Note<{ $crate::internal::note_size(NOTE) }> =
                $crate::internal::Note::new(NOTE, NEEDED);

            static DESCRIPTOR: $crate::raw::berth_plugin_descriptor =
                $crate::raw::berth_plugin_descriptor {
                    size: $crate::raw::size_of::<$crate::raw::berth_plugin_descriptor>(),
                    abi_major: $crate::raw::BERTH_ABI_MAJOR as u16,
                    abi_minor_needed: NEEDED,
                    abi_minor_built: $crate::raw::BERTH_ABI_MINOR as u16,
                    reserved0: 0,
                    reserved1: 0,
                    id: $crate::internal::constant($id),
                    name: $crate::internal::constant($name),
                    version: $crate::internal::constant(VERSION),
                    extension_points: $crate::internal::constant(POINTS),
                    validate: $crate::internal::Functions::<All>::VALIDATE,
                    create: Some($crate::internal::Functions::<All>::create),
                    init: Some($crate::internal::Functions::<All>::init),
                    extension: Some($crate::internal::Functions::<All>::extension),
                    destroy: Some($crate::internal::Functions::<All>::destroy),
                };

            #[no_mangle]
            pub extern "C" fn berth_plugin_entry_v1(
            ) -> *const $crate::raw::berth_plugin_descriptor {
                $crate::internal::entered(&DESCRIPTOR)
            }
        };
    };
}

/// The minor version of the ABI that brought an extension point, by its name in `plugin!`.
#[doc(hidden)]
#[macro_export]
macro_rules! point_minor {
    (wide_queue_sort) => {
        3
    };
    (observe) => {
        3
    };
    ($before:ident) => {
        0
    };
}

/// The id of an extension point as a literal, by its name in `plugin!`.
#[doc(hidden)]
#[macro_export]
macro_rules! point_id {
    (pre_enqueue) => {
        "berth.pre_enqueue/0"
    };
    (queue_sort) => {
        "berth.queue_sort/0"
    };
    (wide_queue_sort) => {
        "berth.queue_sort/0"
    };
    (hints) => {
        "berth.hints/0"
    };
    (pre_filter) => {
        "berth.pre_filter/0"
    };
    (filter) => {
        "berth.filter/0"
    };
    (post_filter) => {
        "berth.post_filter/0"
    };
    (pre_score) => {
        "berth.pre_score/0"
    };
    (score) => {
        "berth.score/0"
    };
    (reserve) => {
        "berth.reserve/0"
    };
    (permit) => {
        "berth.permit/0"
    };
    (pre_bind) => {
        "berth.pre_bind/0"
    };
    (pre_bind_on_cycle) => {
        "berth.pre_bind/0"
    };
    (bind) => {
        "berth.bind/0"
    };
    (post_bind) => {
        "berth.post_bind/0"
    };
    (overlay_state) => {
        "berth.overlay_state/0"
    };
    (observe) => {
        "berth.observe/0"
    };
}

#[cfg(test)]
mod tests {
    use crate::instance::{Point, POINTS};

    // Literals, constants of the ABI and indices agree.
    macro_rules! agree {
        ($($point:ident)*) => {
            [$((point_id!($point), Point::$point)),*]
        };
    }

    #[test]
    fn points_have_their_ids() {
        let named = agree!(pre_enqueue queue_sort hints pre_filter filter post_filter pre_score
            score reserve permit pre_bind bind post_bind overlay_state observe);
        assert_eq!(named.len(), POINTS.len());
        for (id, index) in named {
            assert_eq!(POINTS[index], id);
        }
    }
}
