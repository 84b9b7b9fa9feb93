// Parses texts with Go libraries: reads a JSON array of {"reader", "text"} from stdin and writes an array of {"error", "value"} to
// stdout.
package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"net/url"
	"os"
	"time"

	goyaml "go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"
)

type question struct {
	Reader string `json:"reader"`
	Text   string `json:"text"`
}

type answer struct {
	Error string `json:"error"`
	Value any    `json:"value"`
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	answers := make([]answer, len(questions))
	for i, each := range questions {
		value, err := read(each)
		answers[i].Value = value
		if err != nil {
			answers[i].Error = err.Error()
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}

func read(asked question) (any, error) {
	switch asked.Reader {
	case "go-yaml":
		return documents(asked.Text)
	case "sigs.k8s.io/yaml":
		var value any
		err := kubeyaml.UnmarshalStrict([]byte(asked.Text), &value)
		return value, err
	case "net/url":
		parsed, err := url.Parse(asked.Text)
		if err != nil {
			return nil, err
		}
		return parsed.Host, nil
	case "crypto/x509":
		return blocks([]byte(asked.Text))
	case "crypto/x509 chain":
		return verify([]byte(asked.Text))
	}
	return nil, errors.New("there is no such reader: " + asked.Reader)
}

// blocks parses every PEM block of a text by its label and returns the labels.
func blocks(text []byte) (any, error) {
	var kinds []string
	for {
		block, rest := pem.Decode(text)
		if block == nil {
			if len(kinds) == 0 || len(bytes.TrimSpace(rest)) > 0 {
				return kinds, errors.New("it is not PEM to its end")
			}
			return kinds, nil
		}
		if err := parse(block); err != nil {
			return kinds, err
		}
		kinds = append(kinds, block.Type)
		text = rest
	}
}

func parse(block *pem.Block) error {
	var err error
	switch block.Type {
	case "CERTIFICATE":
		_, err = x509.ParseCertificate(block.Bytes)
	case "CERTIFICATE REQUEST":
		var request *x509.CertificateRequest
		if request, err = x509.ParseCertificateRequest(block.Bytes); err == nil {
			err = request.CheckSignature()
		}
	case "PRIVATE KEY":
		_, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		_, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		_, err = x509.ParseECPrivateKey(block.Bytes)
	case "PUBLIC KEY":
		_, err = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		_, err = x509.ParsePKCS1PublicKey(block.Bytes)
	default:
		err = errors.New("there is no reader for " + block.Type)
	}
	return err
}

// chain is a peer's certificates and the roots that the other side trusts.
type chain struct {
	Roots string    `json:"roots"`
	Shown string    `json:"shown"`
	Name  string    `json:"name"`
	Usage string    `json:"usage"`
	Time  time.Time `json:"time"`
}

// verify returns the length of the shortest chain to a trusted certificate.
func verify(text []byte) (any, error) {
	var asked chain
	if err := json.Unmarshal(text, &asked); err != nil {
		return nil, err
	}
	block, rest := pem.Decode([]byte(asked.Shown))
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, err
	}
	options := x509.VerifyOptions{
		Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool(), DNSName: asked.Name, CurrentTime: asked.Time,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if asked.Usage == "client" {
		options.KeyUsages = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	options.Roots.AppendCertsFromPEM([]byte(asked.Roots))
	options.Intermediates.AppendCertsFromPEM(rest)
	ways, err := leaf.Verify(options)
	if err != nil {
		return nil, err
	}
	shortest := len(ways[0])
	for _, way := range ways {
		shortest = min(shortest, len(way))
	}
	return shortest, nil
}

func documents(text string) (any, error) {
	decoder := goyaml.NewDecoder(bytes.NewReader([]byte(text)))
	var all []any
	for {
		var value any
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
}
