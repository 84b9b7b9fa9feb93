// Program sigstore-verify verifies a file with a Sigstore bundle and a PEM public key, using the library of cosign 3:
//
//	sigstore-verify KEY BUNDLE FILE
//
// It prints the predicate type if the bundle contains a statement; the file must be one of its subjects.
package main

import (
	"crypto"
	"fmt"
	"os"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"
	"github.com/sigstore/sigstore-go/pkg/root"
	"github.com/sigstore/sigstore-go/pkg/verify"
	"github.com/sigstore/sigstore/pkg/cryptoutils"
	"github.com/sigstore/sigstore/pkg/signature"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sigstore-verify KEY BUNDLE FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(keyPath, bundlePath, filePath string) error {
	material, err := trusted(keyPath)
	if err != nil {
		return err
	}
	signed, err := bundle.LoadJSONFromPath(bundlePath)
	if err != nil {
		return err
	}
	file, err := os.Open(filePath)
	if err != nil {
		return err
	}
	defer file.Close()
	// Signatures with a private key may have neither a transparency log entry nor a time stamp.
	verifier, err := verify.NewVerifier(material, verify.WithNoObserverTimestamps())
	if err != nil {
		return err
	}
	result, err := verifier.Verify(signed, verify.NewPolicy(verify.WithArtifact(file), verify.WithKey()))
	if err != nil {
		return err
	}
	if result.Statement != nil {
		fmt.Println(result.Statement.PredicateType)
	}
	return nil
}

// trusted returns the key as trusted for every signature, whatever its key hint, at any time.
func trusted(keyPath string) (root.TrustedMaterial, error) {
	pem, err := os.ReadFile(keyPath)
	if err != nil {
		return nil, err
	}
	key, err := cryptoutils.UnmarshalPEMToPublicKey(pem)
	if err != nil {
		return nil, err
	}
	verifier, err := signature.LoadVerifier(key, crypto.SHA256)
	if err != nil {
		return nil, err
	}
	always := root.NewExpiringKey(verifier, time.Time{}, time.Time{})
	return root.NewTrustedPublicKeyMaterial(func(string) (root.TimeConstrainedVerifier, error) {
		return always, nil
	}), nil
}
