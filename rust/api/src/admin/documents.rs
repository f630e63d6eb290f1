//! Arguments and results of the operations that need a store.

use std::sync::Arc;

use wf_core::document::NonEmpty;
use wf_core::value::{Object, Value};
use wf_platform::admin::{PageSize, SourcePolicyRecord};
use wf_platform::part::Count;

wf_core::document! {
    /// A configured upstream server.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Connection: "Connection" {
        /// Its id, `<server>.<account>`, which is the id of its source.
        pub id: Arc<str> => NonEmpty,
        /// The server.
        pub server: Arc<str> => NonEmpty,
        /// The account.
        pub account: Arc<str> => NonEmpty,
        /// Whether it takes part.
        pub enabled: bool = true,
        /// How it is reached; results and events show no value of `env`, `headers` and `auth`.
        pub metadata: Object = Object::new(),
    }
    unknown Forbid;
}

wf_core::document! {
    /// Which page of the connections.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ListConnections: "ListConnections" {
        /// The `next_cursor` of the page before.
        pub cursor: Option<Arc<str>> = None,
        /// How many connections a page holds.
        pub limit: u32 => PageSize = 50,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A connection and how it is doing.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConnectionStatus: "ConnectionStatus" {
        /// What is configured.
        pub connection: Connection,
        /// `ok`, `stale`, `failed`, `disabled` or `never_connected`.
        pub state: Arc<str>,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A page of the connections, sorted by id.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConnectionPage: "ConnectionPage" {
        /// The connections.
        pub connections: Vec<ConnectionStatus>,
        /// Where the next page starts, if there is one.
        pub next_cursor: Option<Arc<str>> = None,
        /// How many connections there are.
        pub total: u64 => Count,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A connection to add.
    #[derive(Clone, Debug, PartialEq)]
    pub struct AddConnection: "AddConnection" {
        /// Its id, `<server>.<account>`.
        pub connection_id: Arc<str> => NonEmpty,
        /// The server.
        pub server: Arc<str> => NonEmpty,
        /// The account.
        pub account: Arc<str> => NonEmpty,
        /// How it is reached.
        pub metadata: Object = Object::new(),
        /// Whether it takes part.
        pub enabled: bool = true,
    }
    unknown Forbid;
}

wf_core::document! {
    /// What changes about a connection; what is left out stays.
    #[derive(Clone, Debug, PartialEq)]
    pub struct UpdateConnection: "UpdateConnection" {
        /// Its id.
        pub connection_id: Arc<str> => NonEmpty,
        /// The server.
        pub server: Option<Arc<str>> = None,
        /// The account.
        pub account: Option<Arc<str>> = None,
        /// How it is reached.
        pub metadata: Option<Object> = None,
        /// Whether it takes part.
        pub enabled: Option<bool> = None,
    }
    unknown Forbid;
}

wf_core::document! {
    /// Which connection.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConnectionName: "ConnectionName" {
        /// Its id.
        pub connection_id: Arc<str> => NonEmpty,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A connection that was added, updated or removed; it holds at once.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConnectionChanged: "ConnectionChanged" {
        /// The operation.
        pub action: Arc<str>,
        /// Its id.
        pub connection_id: Arc<str>,
        /// That it was done.
        pub ok: bool,
        /// Whether it holds only after `reload_config`.
        pub requires_reload: bool,
    }
    unknown Forbid;
}

wf_core::document! {
    /// What operators configured.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConfigView: "ConfigView" {
        /// The connections, by id.
        pub connections: Vec<Connection>,
        /// What was decided about sources, by id; those that are away included.
        pub policies: Vec<SourcePolicyRecord>,
    }
    unknown Forbid;
}

wf_core::document! {
    /// That the stored configuration holds now.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConfigReloaded: "ConfigReloaded" {
        /// That it was done.
        pub ok: bool,
        /// How many connections there are.
        pub connection_count: u64 => Count,
        /// How many of them take part.
        pub enabled_connection_count: u64 => Count,
        /// How many sources something was decided about.
        pub policy_count: u64 => Count,
    }
    unknown Forbid;
}

wf_core::document! {
    /// How a refresh of a source went. After a failure, what was known of it still holds.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SourceRefreshed: "SourceRefreshed" {
        /// Its id.
        pub source_id: Arc<str>,
        /// Whether its capabilities were read again.
        pub refreshed: bool,
        /// How many nodes it has.
        pub node_count: u64 => Count,
        /// How many resources it has.
        pub resource_count: u64 => Count,
        /// How many prompts it has.
        pub prompt_count: u64 => Count,
        /// The kind of failure.
        pub error_type: Option<Arc<str>> = None,
        /// What went wrong.
        pub error: Option<Arc<str>> = None,
    }
    unknown Forbid;
}

wf_core::document! {
    /// Which page of the events.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ListEvents: "ListEvents" {
        /// The `next_cursor` of the page before.
        pub cursor: Option<Arc<str>> = None,
        /// How many events a page holds.
        pub limit: u32 => PageSize = 50,
    }
    unknown Forbid;
}

wf_core::document! {
    /// Something that happened on the platform.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Event: "Event" {
        /// Its number.
        pub number: u64 => Count,
        /// What happened.
        pub kind: Arc<str>,
        /// When, in milliseconds since the epoch.
        pub timestamp_epoch_ms: u64 => Count,
        /// The capability it is about.
        pub capability_id: Option<Arc<str>> = None,
        /// Facts about it.
        pub payload: Value,
    }
    unknown Forbid;
}

wf_core::document! {
    /// A page of the events, oldest first.
    #[derive(Clone, Debug, PartialEq)]
    pub struct EventPage: "EventPage" {
        /// The events.
        pub events: Vec<Event>,
        /// Where the next page starts, if there is one.
        pub next_cursor: Option<Arc<str>> = None,
        /// How many events there are.
        pub total: u64 => Count,
    }
    unknown Forbid;
}
