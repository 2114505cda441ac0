//! Bounded readers and writers of long-format tables.
