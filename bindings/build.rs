//! Tells the linker that N-API symbols come from Node.

fn main() {
    napi_build::setup();
}
