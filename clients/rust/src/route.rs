//! The route to a server: the addresses that the bot was started with, and where a Goodbye sent it.

use log::{info, warn};

use crate::address::Address;

/// The address of the next attempt to connect.
///
/// As long as the bot is welcomed at an address it stays there; an attempt that fails sends it to
/// the next one. A Goodbye may name one more.
pub(crate) struct Route {
    homes: Vec<Address>,
    moved: Option<Address>,
    at: usize,
}

impl Route {
    /// The route over these addresses, of which there is one at least.
    pub(crate) fn new(homes: Vec<Address>) -> Self {
        Route { homes, moved: None, at: 0 }
    }

    /// Where to connect next.
    pub(crate) fn next(&self) -> &Address {
        self.homes.iter().chain(&self.moved).nth(self.at).unwrap_or(&self.homes[0])
    }

    /// Use the address of a Goodbye next, unless it can't be used.
    pub(crate) fn move_to(&mut self, server: &str) {
        match self.next().redirected(server) {
            Err(problem) => warn!("goodbye ignored: its address can't be used: {problem}"),
            Ok(address) => {
                info!("address changed: the server moves this bot to {}", address.target);
                self.at = match self.homes.iter().position(|home| *home == address) {
                    Some(home) => home,
                    None => {
                        self.moved = Some(address);
                        self.homes.len()
                    }
                };
            }
        }
    }

    /// Try the next address, after the last one the first.
    pub(crate) fn failed(&mut self) {
        let count = self.homes.len() + usize::from(self.moved.is_some());
        self.at = (self.at + 1) % count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{CertificateFiles, addresses};

    fn route(list: &str) -> Route {
        Route::new(addresses(list, CertificateFiles::default(), None).unwrap())
    }

    fn targets(route: &mut Route, count: usize) -> Vec<String> {
        let mut seen = Vec::new();
        for _ in 0..count {
            seen.push(route.next().target.clone());
            route.failed();
        }
        seen
    }

    #[test]
    fn failures_go_round_the_list() {
        let mut route = route("127.0.0.1:1,127.0.0.1:2");
        assert_eq!(targets(&mut route, 3), ["127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:1"]);
    }

    #[test]
    fn a_goodbyes_address_is_next_and_failures_lead_back() {
        let mut route = route("127.0.0.1:1");
        route.move_to("127.0.0.1:9");
        assert_eq!(targets(&mut route, 3), ["127.0.0.1:9", "127.0.0.1:1", "127.0.0.1:9"]);
    }

    #[test]
    fn an_address_that_cant_be_used_is_ignored() {
        let mut route = route("127.0.0.1:1");
        for server in ["elsewhere:9", "nonsense"] {
            route.move_to(server);
            assert_eq!(route.next().target, "127.0.0.1:1");
        }
    }
}
