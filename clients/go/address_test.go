package paddock

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	t.Setenv("PADDOCK_SERVER", "")
	t.Setenv("PADDOCK_TLS_CA", "")
	for server, want := range map[string]string{
		"":                                 "127.0.0.1:7911",
		"localhost:1":                      "localhost:1",
		"[::1]:2":                          "[::1]:2",
		"http://example.org:3":             "example.org:3",
		"https://example.org:4/":           "example.org:4 tls",
		"unix:/run/paddock":                "unix:/run/paddock",
		"127.0.0.1:5, https://[2001::1]:6": "127.0.0.1:5|[2001::1]:6 tls",
	} {
		addresses, err := givenAddresses(server, certificates{})
		var got []string
		for _, one := range addresses {
			if one.tls != nil {
				one.target += " tls"
			}
			got = append(got, one.target)
		}
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q is %q, %v; want %q", server, got, err, want)
		}
	}
}

func TestAddressesThatCantBeUsed(t *testing.T) {
	t.Setenv("PADDOCK_TLS_CA", "")
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, given := range []struct {
		server string
		files  certificates
		says   string
	}{
		{"example.org:1", certificates{}, "another machine"},
		{"127.0.0.1:5,example.org:1", certificates{}, "another machine"},
		{"127.0.0.1", certificates{}, "write HOST:PORT"},
		{"127.0.0.1:99999", certificates{}, "write HOST:PORT"},
		{"ftp://127.0.0.1:1", certificates{}, "write HOST:PORT"},
		{",", certificates{}, "write HOST:PORT"},
		{"unix:", certificates{}, "write unix:PATH"},
		{"http://127.0.0.1:1", certificates{ca: empty}, "TLS is in use"},
		{"127.0.0.1:1", certificates{ca: "absent.pem"}, "absent.pem: no such file"},
		{"127.0.0.1:1", certificates{ca: empty}, "no certificate"},
		{"127.0.0.1:1", certificates{cert: empty, key: empty}, "needs TLS"},
		{"127.0.0.1:1", certificates{cert: empty}, "both or neither"},
	} {
		_, err := givenAddresses(given.server, given.files)
		var bad *BadSettings
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), given.says) {
			t.Errorf("%q with %v: %v; want %q", given.server, given.files, err, given.says)
		}
	}
}

func TestARouteGoesRoundAndNeverLeavesTLS(t *testing.T) {
	homes, err := givenAddresses("https://a.example:1,https://b.example:2", certificates{})
	if err != nil {
		t.Fatal(err)
	}
	r := newRoute(homes, slog.New(slog.DiscardHandler))
	visited := func() string { return r.next().target }
	r.move("http://c.example:3")
	if visited() != "a.example:1" {
		t.Errorf("a Goodbye without TLS led to %s", visited())
	}
	r.move("c.example:3")
	var path []string
	for range 4 {
		path = append(path, visited())
		r.failed()
	}
	if got := strings.Join(path, " "); got != "c.example:3 a.example:1 b.example:2 c.example:3" {
		t.Errorf("the route is %s", got)
	}
	if r.stops[2].tls == nil {
		t.Error("the new address has no TLS")
	}
}

func TestFailedConnectionsAreExplained(t *testing.T) {
	at := address{target: "h:1"}
	for words, want := range map[string]trouble{
		"tls: failed to verify certificate: x509: certificate signed by unknown authority": {"tls/untrusted", "", true},
		"x509: certificate is valid for a, not b":                                          {"tls/other_name", "", true},
		"tls: first record does not look like a TLS handshake":                             {"tls/not_offered", "", true},
		"dial tcp 127.0.0.1:1: connect: connection refused":                                {"server/absent", "", false},
		"lookup nowhere: no such host":                                                     {"server/unknown_host", "", false},
		"error reading server preface: EOF":                                                {"server/hung_up", "", false},
		"something else":                                                                   {"", "", false},
	} {
		if got := at.explain(words, false); got.reason != want.reason || got.final != want.final || got.sentence == "" {
			t.Errorf("%q is explained as %v", words, got)
		}
	}
}
