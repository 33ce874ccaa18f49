//! Every method of culling against brute force, which shares none of the search.

mod agreement;
mod refusal;
mod scenes;
mod threads;
