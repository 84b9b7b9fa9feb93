package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Flags and controllers of OpenShift's build that upstream never had, or has only since some release.
var (
	openshiftOnly = []string{retryAfterFlag}
	// Source: kubernetes cmd/kube-controller-manager/names, by the release of OpenShift that has that version
	firstReleaseOf = map[string]int{"selinux-warning-controller": 19}
)

// The image contains the minor version of its release here.
const releaseFile = "/etc/stub-release-minor"

// OpenShift's build of Kubernetes reads its own config file in addition to flags. The upstream build does not: settings that upstream
// has become flags, and settings that only OpenShift has are dropped.
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
		config, err := readConfig(file)
		if err != nil {
			return err
		}
		if program == "kube-apiserver" {
			if err := waitUntilReadyOnce(config); err != nil {
				return err
			}
			// The controller manager has the same arguments on its command line.
			derived, err := apiserverFlags(config)
			if err != nil {
				return err
			}
			given = append(derived, given...)
		}
	}
	if program == "kube-controller-manager" {
		if err := refuseUnknownControllers(given); err != nil {
			return err
		}
	}
	return become(program, given)
}

// refuseUnknownControllers fails for controllers that the stubbed release does not know. Upstream's program is newer than old releases.
func refuseUnknownControllers(args []string) error {
	text, err := os.ReadFile(releaseFile)
	if err != nil {
		return err
	}
	minor, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	for _, arg := range args {
		list, is := strings.CutPrefix(arg, "--controllers=")
		if !is {
			continue
		}
		for _, name := range strings.Split(list, ",") {
			if first, known := firstReleaseOf[strings.TrimPrefix(name, "-")]; known && minor < first {
				return fmt.Errorf("%q is not in the list of known controllers", name)
			}
		}
	}
	return nil
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

func readConfig(file string) (config openshiftConfig, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return config, err
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return config, fmt.Errorf("%s: %w", file, err)
	}
	return config, nil
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

func upstreamValues(name string, values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(value string) bool {
		return strings.Contains(value, ".openshift.io/") && strings.HasSuffix(name, "admission-plugins") ||
			name == "authorization-mode" && (value == "Scope" || value == "SystemMasters")
	})
}

// flagWith returns one flag for settings that upstream reads as a list, and one flag per value for all others.
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
