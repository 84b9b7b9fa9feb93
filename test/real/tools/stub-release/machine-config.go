package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

const acceptedVersion = "3.2.0"

type object = map[string]any

// renderPools merges every MachineConfig for the pool master with a base config, which replaces the templates of the real controller.
func renderPools(args []string) error {
	given, err := options(args, "manifest-dir", "dest-dir", "pull-secret", "payload-version", "image-references")
	if err != nil {
		return err
	}
	base, err := os.ReadFile(filepath.Join(given["manifest-dir"], "master-base.ign"))
	if err != nil {
		return fmt.Errorf("the operator rendered no templates: %w", err)
	}
	var config object
	if err := json.Unmarshal(base, &config); err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(given["manifest-dir"], "*.y*ml"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := mergeMachineConfig(config, path); err != nil {
			return err
		}
	}
	merged, err := json.Marshal(config)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(given["dest-dir"], "master.ign"), merged, 0o600)
}

func mergeMachineConfig(config object, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var machineConfig struct {
		Kind     string `yaml:"kind"`
		Metadata struct {
			Labels map[string]string `yaml:"labels"`
		} `yaml:"metadata"`
		Spec struct {
			Config object `yaml:"config"`
		} `yaml:"spec"`
	}
	// A MachineConfig is a file with exactly one document.
	if yaml.Unmarshal(text, &machineConfig) != nil || machineConfig.Kind != "MachineConfig" ||
		machineConfig.Metadata.Labels["machineconfiguration.openshift.io/role"] != "master" {
		return nil
	}
	for _, list := range [][2]string{{"storage", "files"}, {"systemd", "units"}, {"passwd", "users"}} {
		added, _ := section(machineConfig.Spec.Config, list[0])[list[1]].([]any)
		if len(added) > 0 {
			into := section(config, list[0])
			present, _ := into[list[1]].([]any)
			into[list[1]] = append(present, added...)
			config[list[0]] = into
		}
	}
	return nil
}

func section(config object, name string) object {
	if found, is := config[name].(object); is {
		return found
	}
	return object{}
}

// serveConfigs answers on the plain port like the bootstrap mode of the real server. The file /etc/mcs/fault, if it exists, selects a
// fault.
func serveConfigs(args []string) error {
	given, err := options(args, "server-basedir", "bootstrap-kubeconfig", "cert", "key", "secure-port", "insecure-port")
	if err != nil {
		return err
	}
	answer := func(response http.ResponseWriter, request *http.Request) {
		if request.URL.Path != "/config/master" {
			http.NotFound(response, request)
			return
		}
		body, status := configFor(request.Header.Get("Accept"), given["server-basedir"], given["bootstrap-kubeconfig"])
		response.Header().Set("Content-Type", "application/json")
		response.WriteHeader(status)
		fmt.Fprint(response, body)
	}
	return http.ListenAndServe(":"+given["insecure-port"], http.HandlerFunc(answer))
}

func configFor(accept, folder, kubeconfig string) (string, int) {
	fault, _ := os.ReadFile("/etc/mcs/fault")
	switch strings.TrimSpace(string(fault)) {
	case "500":
		return "", http.StatusInternalServerError
	case "html":
		return "<html><body>Please log in to this network</body></html>", http.StatusOK
	case "older":
		accept = ""
	}
	if !strings.Contains(accept, "version="+acceptedVersion) {
		return `{"ignition":{"version":"2.2.0"},"storage":{"files":[{"path":"/etc/x","filesystem":"root"}]},"systemd":{"units":[{"name":"x.service"}]}}`, http.StatusOK
	}
	config, err := withKubeconfig(filepath.Join(folder, "master.ign"), kubeconfig)
	if err != nil {
		return err.Error(), http.StatusInternalServerError
	}
	return config, http.StatusOK
}

// The server adds the kubelet's bootstrap kubeconfig.
func withKubeconfig(path, kubeconfig string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	credentials, err := os.ReadFile(kubeconfig)
	if err != nil {
		return "", err
	}
	var config object
	if err := json.Unmarshal(text, &config); err != nil {
		return "", err
	}
	storage := section(config, "storage")
	files, is := storage["files"].([]any)
	if !is {
		return "", errors.New("the config of the pool has no files")
	}
	storage["files"] = append(files, object{
		"path": "/etc/kubernetes/kubeconfig", "mode": 0o600, "overwrite": true,
		"contents": object{"source": "data:;base64," + base64.StdEncoding.EncodeToString(credentials)},
	})
	config["ignition"] = object{"version": acceptedVersion}
	whole, err := json.Marshal(config)
	return string(whole), err
}
