package paddock

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// DefaultServer is the server where nobody names one.
const DefaultServer = "127.0.0.1:7911"

const (
	frameBytes = 64 * 1024 // the largest frame that a bot sends; it may get larger ones
	unixScheme = "unix:"
)

// address is the address of a server: plain on this machine, with TLS beyond it.
type address struct {
	target string      // HOST:PORT or unix:PATH
	tls    *tls.Config // nil: none
	named  bool        // whether a client certificate is shown
}

// certificates are the files that TLS needs; empty: none.
type certificates struct{ ca, cert, key string }

// givenAddresses returns the addresses in a list with commas, by default that of PADDOCK_SERVER.
func givenAddresses(servers string, files certificates) ([]address, error) {
	for _, given := range []string{os.Getenv("PADDOCK_SERVER"), DefaultServer} {
		if servers == "" {
			servers = given
		}
	}
	if (files.cert == "") != (files.key == "") {
		return nil, &BadSettings{"tls_cert and tls_key: give both or neither"}
	}
	var addresses []address
	for _, server := range strings.Split(servers, ",") {
		if server = strings.TrimSpace(server); server == "" {
			continue
		}
		own := files
		plain := strings.HasPrefix(server, "http://") || strings.HasPrefix(server, unixScheme)
		if own.ca == "" && !plain {
			own.ca = os.Getenv("PADDOCK_TLS_CA")
		}
		one, err := newAddress(server, own)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, one)
	}
	if len(addresses) == 0 {
		return nil, &BadSettings{fmt.Sprintf("server: write HOST:PORT or https://HOST:PORT, not %q", servers)}
	}
	return addresses, nil
}

// newAddress returns the address in HOST:PORT, https://HOST:PORT, http://HOST:PORT or unix:PATH.
func newAddress(server string, files certificates) (address, error) {
	target, secure, err := place(server, files.ca != "")
	if err != nil {
		return address{}, err
	}
	if !secure {
		if files.cert != "" {
			sentence := "server: a client certificate needs TLS; write https://" + target
			return address{}, &BadSettings{sentence}
		}
		return address{target: target}, nil
	}
	config, err := tlsConfig(files)
	return address{target: target, tls: config, named: files.cert != ""}, err
}

// redirected returns the address that a server sends its bots to: with the same certificates, and
// never without TLS where TLS is in use.
func (a address) redirected(server string) (address, error) {
	target, secure, err := place(server, a.tls != nil)
	if err != nil {
		return address{}, err
	}
	moved := address{target: target, named: a.named}
	if secure {
		moved.tls = a.tls
		if moved.tls == nil {
			moved.tls = &tls.Config{}
		}
	}
	return moved, nil
}

// dial returns a new connection to the server. Every attempt has one of its own: `backoff` decides
// how long an attempt waits, not an earlier connection.
func (a address) dial() (*grpc.ClientConn, error) {
	secrets := insecure.NewCredentials()
	if a.tls != nil {
		secrets = credentials.NewTLS(a.tls)
	}
	return grpc.NewClient(
		a.target,
		grpc.WithTransportCredentials(secrets),
		grpc.WithDisableRetry(),
		grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(frameBytes)),
		// A server that froze or lost its network says nothing: ping it.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second}),
	)
}

// place returns the target of a server, and whether it uses TLS; with `secure` it has to.
func place(server string, secure bool) (string, bool, error) {
	if path, isUnix := strings.CutPrefix(server, unixScheme); isUnix {
		if path == "" || secure {
			return "", false, &BadSettings{fmt.Sprintf("server: write unix:PATH, without TLS, not %q", server)}
		}
		return server, false, nil
	}
	scheme, rest, found := strings.Cut(server, "://")
	if !found {
		scheme, rest = "", server
	}
	host, port, err := hostAndPort(rest)
	if err != nil || (scheme != "" && scheme != "http" && scheme != "https") {
		sentence := fmt.Sprintf("server: write HOST:PORT or https://HOST:PORT, not %q", server)
		return "", false, &BadSettings{sentence}
	}
	if scheme == "http" && secure {
		sentence := fmt.Sprintf("server: %q means no TLS, but TLS is in use; write https://", server)
		return "", false, &BadSettings{sentence}
	}
	secure = secure || scheme == "https"
	if scheme == "" && !secure && !isHere(host) {
		return "", false, &BadSettings{fmt.Sprintf(
			"server: %s is another machine; write https://%s, "+
				"or http://%s to send everything unencrypted, also the token", host, rest, rest)}
	}
	return net.JoinHostPort(host, port), secure, nil
}

func hostAndPort(rest string) (host, port string, err error) {
	parts, err := url.Parse("//" + rest)
	if err != nil {
		return "", "", err
	}
	host, port = parts.Hostname(), parts.Port()
	extra := strings.Trim(parts.Path, "/") != "" || parts.User != nil || parts.RawQuery != ""
	if host == "" || port == "" || extra {
		return "", "", errors.New("not HOST:PORT")
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return "", "", err
	}
	return host, port, nil
}

func isHere(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost"
}

func tlsConfig(files certificates) (*tls.Config, error) {
	config := &tls.Config{}
	if files.ca != "" {
		text, err := os.ReadFile(files.ca)
		if err != nil {
			return nil, badFile(files.ca, err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, &BadSettings{files.ca +
				": the file has no certificate; give the file of the server's CA (PEM)"}
		}
	}
	if files.cert != "" {
		pair, err := tls.LoadX509KeyPair(files.cert, files.key)
		if err != nil {
			return nil, badFile(files.cert, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func badFile(path string, err error) error {
	var inPath *os.PathError
	if errors.As(err, &inPath) {
		return &BadSettings{fmt.Sprintf("%s: %v", inPath.Path, inPath.Err)}
	}
	return &BadSettings{fmt.Sprintf("%s: %v", path, err)}
}
