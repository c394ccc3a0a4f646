//! The address of a server, and connections to it: plain on this machine, with TLS beyond it.

use std::fs;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity, Uri};

use crate::errors::Error;

/// Where a server listens if nobody says otherwise.
pub const DEFAULT_SERVER: &str = "127.0.0.1:7911";

// A server that froze or lost its network says nothing: ping it.
const PING_EVERY: Duration = Duration::from_secs(10);
const PONG_WITHIN: Duration = Duration::from_secs(5);
const CONNECT_WITHIN: Duration = Duration::from_secs(20);

const UNIX: &str = "unix:";

/// The certificates that TLS uses, as the text of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Certificates {
    pub(crate) ca: Option<String>,
    pub(crate) identity: Option<(String, String)>,
}

/// The address of a server, with its certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// HOST:PORT or unix:PATH.
    pub(crate) target: String,
    pub(crate) tls: bool,
    pub(crate) certificates: Certificates,
}

/// The files of certificates, as the settings name them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CertificateFiles<'a> {
    pub(crate) ca: Option<&'a Path>,
    pub(crate) cert: Option<&'a Path>,
    pub(crate) key: Option<&'a Path>,
}

/// The addresses in a comma-separated list. `env_ca` is the CA's file of the environment, which
/// counts where no other is given and the address does not say http.
pub(crate) fn addresses(
    list: &str,
    files: CertificateFiles,
    env_ca: Option<&Path>,
) -> Result<Vec<Address>, Error> {
    let servers: Vec<&str> = list.split(',').map(str::trim).filter(|server| !server.is_empty()).collect();
    if servers.is_empty() {
        return bad("server: write HOST:PORT or https://HOST:PORT, or several with commas between them");
    }
    let address = |&server: &&str| {
        let plain = server.starts_with("http://") || server.starts_with(UNIX);
        let ca = files.ca.or(if plain { None } else { env_ca });
        address(server, CertificateFiles { ca, ..files })
    };
    servers.iter().map(address).collect()
}

/// The address in `HOST:PORT`, `https://HOST:PORT`, `http://HOST:PORT` or `unix:PATH`. https and
/// the file of a CA turn TLS on; plaintext to another machine needs http.
pub(crate) fn address(server: &str, files: CertificateFiles) -> Result<Address, Error> {
    let place = place(server, files.ca.is_some())?;
    let identity = match (files.cert, files.key) {
        (None, None) => None,
        (Some(_), Some(_)) if !place.tls => {
            return bad(format!("server: a client certificate needs TLS; write https://{}", place.target));
        }
        (Some(cert), Some(key)) => Some((read(cert)?, read(key)?)),
        _ => return bad("tls_cert and tls_key: give both or neither"),
    };
    let ca = files.ca.map(read).transpose()?;
    if let (Some(path), Some(text)) = (files.ca, &ca)
        && !text.contains("-----BEGIN CERTIFICATE-----")
    {
        let what = "the file has no certificate; give the file of the server's CA (PEM)";
        return bad(format!("{}: {what}", path.display()));
    }
    let certificates = Certificates { ca, identity };
    let address = Address { certificates, ..place };
    address.endpoint()?;
    Ok(address)
}

impl Address {
    /// The address that this server sends its bots to: with the same certificates, and never
    /// without TLS where TLS is in use.
    pub(crate) fn redirected(&self, server: &str) -> Result<Address, Error> {
        let certificates = self.certificates.clone();
        Ok(Address { certificates, ..place(server, self.tls)? })
    }

    /// A new connection to the server.
    pub(crate) async fn connect(&self) -> Result<Channel, Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.endpoint()?.connect().await?)
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let wrong = |error: tonic::transport::Error| Error::BadSettings(format!("{}: {error}", self.target));
        let uri = match (self.target.starts_with(UNIX), self.tls) {
            (true, _) => self.target.clone(),
            (false, true) => format!("https://{}", self.target),
            (false, false) => format!("http://{}", self.target),
        };
        let mut endpoint = Endpoint::from_shared(uri).map_err(wrong)?;
        if self.target.starts_with(UNIX) {
            endpoint = endpoint.origin(Uri::from_static("http://localhost"));
        }
        if self.tls {
            let mut config = ClientTlsConfig::new();
            config = match &self.certificates.ca {
                Some(ca) => config.ca_certificate(Certificate::from_pem(ca)),
                None => config.with_native_roots(),
            };
            if let Some((cert, key)) = &self.certificates.identity {
                config = config.identity(Identity::from_pem(cert, key));
            }
            endpoint = endpoint.tls_config(config).map_err(wrong)?;
        }
        Ok(endpoint
            .connect_timeout(CONNECT_WITHIN)
            .http2_keep_alive_interval(PING_EVERY)
            .keep_alive_timeout(PONG_WITHIN)
            .keep_alive_while_idle(true))
    }
}

/// The place of a server, without certificates; with `tls` it has to use TLS.
fn place(server: &str, tls: bool) -> Result<Address, Error> {
    let certificates = Certificates::default();
    let in_use = || bad(format!("server: {server:?} means no TLS, but TLS is in use; write https://"));
    if let Some(path) = server.strip_prefix(UNIX) {
        if tls {
            return in_use();
        }
        if path.is_empty() {
            return bad("server: write unix:PATH with the path of a socket");
        }
        let target = server.to_string();
        return Ok(Address { target, tls, certificates });
    }
    let (scheme, rest) = server.split_once("://").unwrap_or(("", server));
    let Some((host, port)) = split(rest).filter(|_| ["", "http", "https"].contains(&scheme)) else {
        return bad(format!("server: write HOST:PORT or https://HOST:PORT, not {server:?}"));
    };
    if scheme == "http" && tls {
        return in_use();
    }
    let tls = tls || scheme == "https";
    if scheme.is_empty() && !tls && !is_here(&host) {
        return bad(format!(
            "server: {host} is another machine; write https://{rest}, or http://{rest} to send everything unencrypted, also the token"
        ));
    }
    let target = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
    Ok(Address { target, tls, certificates })
}

/// The host and the port of `HOST:PORT`; None where there is no such thing.
fn split(text: &str) -> Option<(String, u16)> {
    let text = text.strip_suffix('/').unwrap_or(text);
    let (host, port) = text.rsplit_once(':')?;
    let host = match host.strip_prefix('[') {
        Some(inside) => inside.strip_suffix(']')?,
        None if host.contains(':') => return None,
        None => host,
    };
    let is_odd = |sign: char| sign.is_whitespace() || "/@?#[]".contains(sign);
    if host.is_empty() || host.contains(is_odd) || !port.bytes().all(|sign| sign.is_ascii_digit()) {
        return None;
    }
    Some((host.to_lowercase(), port.parse().ok()?))
}

fn is_here(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(ip) => ip.is_loopback(),
        Err(_) => host == "localhost",
    }
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| Error::BadSettings(format!("{}: {error}", path.display())))
}

fn bad<T>(sentence: impl Into<String>) -> Result<T, Error> {
    Err(Error::BadSettings(sentence.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(server: &str) -> Result<Address, Error> {
        address(server, CertificateFiles::default())
    }

    #[test]
    fn a_loopback_address_needs_no_tls() {
        for server in ["127.0.0.1:7911", "localhost:1", "[::1]:7911", "127.0.0.2:5"] {
            let address = of(server).unwrap();
            assert_eq!((address.target.as_str(), address.tls), (server, false));
        }
    }

    #[test]
    fn a_scheme_decides_about_tls() {
        assert!(of("https://paddock.example.org:7911").unwrap().tls);
        assert!(!of("http://paddock.example.org:7911/").unwrap().tls);
    }

    #[test]
    fn another_machine_needs_a_scheme() {
        let Err(Error::BadSettings(sentence)) = of("paddock.example.org:7911") else {
            panic!("it was taken");
        };
        assert!(sentence.contains("https://paddock.example.org:7911"), "{sentence}");
    }

    #[test]
    fn a_socket_has_a_path() {
        let address = of("unix:/run/paddock.sock").unwrap();
        assert_eq!((address.target.as_str(), address.tls), ("unix:/run/paddock.sock", false));
        assert!(of("unix:").is_err());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for server in ["", "host", "host:", ":1", "host:99999", "ftp://host:1", "host:1/path", "a:b:1", "::1"]
        {
            assert!(of(server).is_err(), "{server}");
        }
    }

    #[test]
    fn a_list_has_several_servers() {
        let list = addresses("127.0.0.1:1, unix:/a ,https://x:2", CertificateFiles::default(), None).unwrap();
        let targets: Vec<&str> = list.iter().map(|address| address.target.as_str()).collect();
        assert_eq!(targets, ["127.0.0.1:1", "unix:/a", "x:2"]);
        assert!(addresses(" , ", CertificateFiles::default(), None).is_err());
    }

    #[test]
    fn the_environments_ca_does_not_touch_what_is_plain() {
        let absent = Path::new("/absent/ca.pem");
        assert!(addresses("http://x:1,unix:/a", CertificateFiles::default(), Some(absent)).is_ok());
        assert!(addresses("x:1", CertificateFiles::default(), Some(absent)).is_err());
    }

    #[test]
    fn a_redirection_never_leaves_tls() {
        let home = of("https://x:1").unwrap();
        assert!(home.redirected("y:2").unwrap().tls);
        assert!(home.redirected("http://y:2").is_err());
        assert!(home.redirected("unix:/a").is_err());
        assert!(of("127.0.0.1:1").unwrap().redirected("y:2").is_err());
    }
}
