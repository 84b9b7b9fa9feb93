package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// OpenShift's own build of Kubernetes reads a config file of its own kind beside the flags. The upstream build does not:
// what the file says of upstream's flags becomes flags, what only OpenShift has is left out.
func runKubernetes(program string, args []string) error {
	given, file := []string{}, ""
	for _, arg := range args {
		if value, is := strings.CutPrefix(arg, "--openshift-config="); is {
			file = value
		} else if arg != "--permit-address-sharing=true" || program == "kube-apiserver" {
			given = append(given, arg)
		}
	}
	if file != "" {
		derived, err := flagsOf(program, file)
		if err != nil {
			return err
		}
		given = append(derived, given...)
	}
	return become(program, given)
}

type openshiftConfig struct {
	APIServerArguments           map[string][]string `yaml:"apiServerArguments"`
	ServiceAccountPublicKeyFiles []string            `yaml:"serviceAccountPublicKeyFiles"`
	ServicesSubnet               string              `yaml:"servicesSubnet"`
	ServingInfo                  struct {
		BindAddress       string   `yaml:"bindAddress"`
		CipherSuites      []string `yaml:"cipherSuites"`
		MinTLSVersion     string   `yaml:"minTLSVersion"`
		NamedCertificates []struct {
			CertFile string `yaml:"certFile"`
			KeyFile  string `yaml:"keyFile"`
		} `yaml:"namedCertificates"`
	} `yaml:"servingInfo"`
}

func flagsOf(program, file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var config openshiftConfig
	if err := yaml.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	// The controller manager's arguments stand on its command line as well.
	if program != "kube-apiserver" {
		return nil, nil
	}
	return apiserverFlags(config)
}

func apiserverFlags(config openshiftConfig) ([]string, error) {
	flags := []string{}
	for name, values := range config.APIServerArguments {
		if slices.Contains(openshiftOnly, name) {
			continue
		}
		flags = append(flags, flagWith(name, upstreamValues(name, values))...)
	}
	slices.Sort(flags)
	for _, folder := range config.ServiceAccountPublicKeyFiles {
		files, err := filepath.Glob(filepath.Join(folder, "*.pub"))
		if err != nil {
			return nil, err
		}
		flags = append(flags, flagWith("service-account-key-file", files)...)
	}
	serving := config.ServingInfo
	port := serving.BindAddress[strings.LastIndex(serving.BindAddress, ":")+1:]
	flags = append(flags, "--service-cluster-ip-range="+config.ServicesSubnet, "--secure-port="+port,
		"--tls-min-version="+serving.MinTLSVersion, "--tls-cipher-suites="+strings.Join(serving.CipherSuites, ","))
	for _, pair := range serving.NamedCertificates {
		flags = append(flags, "--tls-sni-cert-key="+pair.CertFile+","+pair.KeyFile)
	}
	return flags, nil
}

// Flags that OpenShift's build carries beyond upstream's.
var openshiftOnly = []string{"send-retry-after-while-not-ready-once"}

func upstreamValues(name string, values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		return strings.Contains(value, ".openshift.io/") && strings.HasSuffix(name, "admission-plugins") ||
			name == "authorization-mode" && (value == "Scope" || value == "SystemMasters")
	})
}

// flagWith: what is one list to upstream is given at once, all else value by value.
func flagWith(name string, values []string) []string {
	switch name {
	case "enable-admission-plugins", "disable-admission-plugins", "authorization-mode", "feature-gates", "etcd-servers", "runtime-config":
		return []string{"--" + name + "=" + strings.Join(values, ",")}
	}
	flags := []string{}
	for _, value := range values {
		flags = append(flags, "--"+name+"="+value)
	}
	return flags
}
