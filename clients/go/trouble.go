package paddock

import (
	"fmt"
	"strings"
)

// trouble is the explanation of a failed connection: what is wrong, and what to do.
type trouble struct {
	reason   string // stable, such as tls/untrusted; empty: the sentence is grpc's
	sentence string
	final    bool // another attempt would fail the same way
}

// explain returns the explanation of a failed connection, from the words of grpc; `welcomed` tells
// whether a session was open on it.
func (a address) explain(details string, welcomed bool) trouble {
	says := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(details, word) {
				return true
			}
		}
		return false
	}
	switch {
	case says("certificate is valid for", "doesn't contain any IP SANs", "not valid for any names"):
		return trouble{"tls/other_name", fmt.Sprintf("the certificate of the server is not for the name in %s; "+
			"use the name that the certificate is for", a.target), true}
	case says("failed to verify certificate", "x509:"):
		return trouble{"tls/untrusted", fmt.Sprintf("the certificate of %s is not signed by a CA that is trusted here; "+
			"set PADDOCK_TLS_CA or --tls-ca to the file of the server's CA (PEM)", a.target), true}
	case says("first record does not look like a TLS handshake"):
		return trouble{"tls/not_offered", fmt.Sprintf("the server at %s does not use TLS; "+
			"write http://%s to connect without it", a.target, a.target), true}
	case says("connection refused", "no such file or directory"):
		return trouble{"server/absent", fmt.Sprintf("no server listens at %s; is it running?", a.target), false}
	case says("no such host", "produced zero addresses", "server misbehaving"):
		return trouble{"server/unknown_host", fmt.Sprintf("the host name in %s is unknown; check the address", a.target), false}
	case says("error reading server preface", "EOF", "connection reset", "broken pipe", "certificate required"):
		sentence := fmt.Sprintf("the server at %s closed the connection", a.target)
		if !welcomed {
			sentence += "; " + a.hint()
		}
		return trouble{"server/hung_up", sentence, false}
	}
	return trouble{"", details, false}
}

func (a address) hint() string {
	switch {
	case a.tls == nil:
		return "if it uses TLS, write https://" + a.target
	case !a.named:
		return "if it wants client certificates, give --tls-cert and --tls-key"
	}
	return "if it refuses this client certificate, give one that its CA signed"
}
