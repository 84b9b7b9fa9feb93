// A web server for test pods, with a client and a resolver for use inside a pod, in one file without a shell.
//
//	http-server serve ADDRESS          answers every path with its environment variable ANSWER, /env/NAME with that variable
//	http-server files ADDRESS FOLDER   serves a folder over TLS as localhost, and prints its certificate
//	http-server get URL                prints the answer of the URL
//	http-server resolve NAME           prints the addresses of a name, one per line
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// Below the timeout of a probe, which repeats anyway.
const patience = 5 * time.Second

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "serve":
		return http.ListenAndServe(args[1], http.HandlerFunc(answer))
	case len(args) == 3 && args[0] == "files":
		return serveFiles(args[1], args[2])
	case len(args) == 2 && args[0] == "get":
		return get(args[1])
	case len(args) == 2 && args[0] == "resolve":
		return resolve(args[1])
	}
	return errors.New("expected serve ADDRESS, files ADDRESS FOLDER, get URL or resolve NAME")
}

// serveFiles prints its address, for port 0, and then its certificate.
func serveFiles(address, folder string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	certificate, err := selfSigned()
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	if err := pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}); err != nil {
		return err
	}
	server := http.Server{
		Handler:   http.FileServer(http.Dir(folder)),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
	}
	return server.ServeTLS(listener, "", "")
}

// selfSigned returns a self-signed certificate. It is valid for a century, so that tests may change the clock.
func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "files of the tests"},
		NotBefore:             time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		DNSNames:              []string{"localhost"},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

func answer(response http.ResponseWriter, request *http.Request) {
	name, asked := strings.CutPrefix(request.URL.Path, "/env/")
	if !asked {
		name = "ANSWER"
	}
	fmt.Fprint(response, os.Getenv(name))
}

func get(url string) error {
	client := http.Client{Timeout: patience}
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", url, response.Status)
	}
	_, err = io.Copy(os.Stdout, response.Body)
	return err
}

func resolve(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, name)
	if err != nil {
		return err
	}
	slices.Sort(addresses)
	fmt.Println(strings.Join(addresses, "\n"))
	return nil
}
