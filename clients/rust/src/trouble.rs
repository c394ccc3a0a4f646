//! Explanations of failed connections: what is wrong, and what to do.

use std::error::Error;

use crate::address::Address;

/// The explanation of a failed connection.
pub(crate) struct Trouble {
    /// Stable, such as tls/untrusted; empty: the sentence is the library's.
    pub(crate) reason: &'static str,
    pub(crate) sentence: String,
    /// Another attempt would fail the same way.
    pub(crate) is_final: bool,
}

/// An error and all its causes, as one line.
pub(crate) fn described(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !line.contains(&words) {
            line = format!("{line}: {words}");
        }
        cause = error.source();
    }
    line
}

/// The explanation of a connection that failed or, after a welcome, broke off, from what the
/// library says about it.
pub(crate) fn explain(address: &Address, details: &str, welcomed: bool) -> Trouble {
    let target = &address.target;
    let says = |words: &[&str]| words.iter().any(|word| details.contains(word));
    let (reason, sentence, is_final) = if says(&["UnknownIssuer", "unknown issuer", "CaUsedAsEndEntity"]) {
        let sentence = format!(
            "the certificate of {target} is not signed by a CA that is trusted here; set PADDOCK_TLS_CA or --tls-ca to the file of the server's CA (PEM)"
        );
        ("tls/untrusted", sentence, true)
    } else if says(&["NotValidForName", "not valid for name"]) {
        let sentence = format!(
            "the certificate of the server is not for the name in {target}; use the name that the certificate is for"
        );
        ("tls/other_name", sentence, true)
    } else if says(&["InvalidContentType", "corrupt message"]) && address.tls {
        let sentence =
            format!("the server at {target} does not use TLS; write http://{target} to connect without it");
        ("tls/not_offered", sentence, true)
    } else if says(&["Connection refused", "No such file"]) {
        ("server/absent", format!("no server listens at {target}; is it running?"), false)
    } else if says(&["failed to lookup address", "Name or service not known"]) {
        ("server/unknown_host", format!("the host name in {target} is unknown; check the address"), false)
    } else if says(&["timed out"]) {
        ("server/silent", format!("the server at {target} does not answer"), false)
    } else if says(&["Connection reset", "Broken pipe", "connection closed", "stream closed"]) {
        let hint = if welcomed { String::new() } else { hint(address) };
        ("server/hung_up", format!("the server at {target} closed the connection{hint}"), false)
    } else {
        ("", details.to_string(), false)
    };
    Trouble { reason, sentence, is_final }
}

fn hint(address: &Address) -> String {
    if address.target.starts_with("unix:") {
        "; is it a server of Paddock?".to_string()
    } else if !address.tls {
        format!("; if it uses TLS, write https://{}", address.target)
    } else if address.certificates.identity.is_none() {
        "; if it wants client certificates, give --tls-cert and --tls-key".to_string()
    } else {
        "; if it refuses this client certificate, give one that its CA signed".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{CertificateFiles, address};

    #[test]
    fn a_trouble_says_what_to_do() {
        let address = address("https://x:1", CertificateFiles::default()).unwrap();
        let reason = |details: &str| explain(&address, details, false).reason;
        assert_eq!(reason("tcp connect error: Connection refused (os error 111)"), "server/absent");
        assert_eq!(reason("keep-alive timed out"), "server/silent");
        assert!(explain(&address, "invalid peer certificate: UnknownIssuer", false).is_final);
        assert!(explain(&address, "Connection reset", false).sentence.contains("--tls-cert"));
        assert_eq!(
            explain(&address, "Broken pipe", true).sentence,
            "the server at x:1 closed the connection"
        );
        assert_eq!(explain(&address, "odd words", false).sentence, "odd words");
    }
}
