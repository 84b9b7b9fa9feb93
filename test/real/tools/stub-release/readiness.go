package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Below the timeout of the probes.
const patience = 5 * time.Second

// serveEtcdReadiness answers probes for etcd, which requires client certificates that the kubelet does not have.
func serveEtcdReadiness(args []string) error {
	given, err := options(args, "listen-port", "target", "serving-cert-file", "serving-key-file",
		"client-cert-file", "client-key-file", "client-cacert-file")
	if err != nil {
		return err
	}
	target, err := url.Parse(given["target"])
	if err != nil {
		return err
	}
	answer := func(response http.ResponseWriter, _ *http.Request) {
		connection, err := net.DialTimeout("tcp", target.Host, patience)
		if err != nil {
			http.Error(response, err.Error(), http.StatusServiceUnavailable)
			return
		}
		connection.Close()
		fmt.Fprint(response, "ok")
	}
	return http.ListenAndServeTLS(":"+given["listen-port"], given["serving-cert-file"], given["serving-key-file"], http.HandlerFunc(answer))
}

// serveReadiness returns the readiness of kube-apiserver, without TLS.
func serveReadiness(args []string) error {
	given, err := options(args, "insecure-port", "delegate-url")
	if err != nil {
		return err
	}
	client := http.Client{Timeout: patience, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	answer := func(response http.ResponseWriter, _ *http.Request) {
		asked, err := client.Get(given["delegate-url"])
		if err != nil {
			http.Error(response, err.Error(), http.StatusServiceUnavailable)
			return
		}
		defer asked.Body.Close()
		response.WriteHeader(asked.StatusCode)
		io.Copy(response, asked.Body)
	}
	return http.ListenAndServe(":"+given["insecure-port"], http.HandlerFunc(answer))
}

// serveHealth answers the probes of a program that has no other function here. Like the real one it uses a self-signed certificate.
func serveHealth(address string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	server := http.Server{
		Addr:      address,
		Handler:   http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) { fmt.Fprint(response, "ok") }),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}},
	}
	return server.ListenAndServeTLS("", "")
}
