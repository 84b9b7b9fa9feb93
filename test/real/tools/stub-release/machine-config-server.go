package main

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The machine-config server of a running cluster. Source: openshift/machine-config-operator pkg/server (api.go, cluster_server.go,
// server.go) and cmd/machine-config-server
const (
	// The real server reads MachineConfigPool, MachineConfig and ControllerConfig from the API. Here NAME.json is the MachineConfig
	// rendered for the pool NAME.
	poolFolder = "/etc/mcs/pools"
	// The Secret node-bootstrapper-token, and the ConfigMap kubeconfig-data of the same namespace.
	tokenFolder      = "/etc/mcs/bootstrap-token"
	kubeconfigFolder = "/etc/mcs/kubeconfig-data"
	servingPair      = "/etc/ssl/mcs/tls"
	ignitionType     = "vnd.coreos.ignition+json"
	olderVersion     = "2.2.0"
	newestVersion    = "3.5.0"
)

// Versions that the server can convert to.
var servedVersions = []string{olderVersion, "3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", newestVersion}

func serveCluster(args []string) error {
	given, err := options(args, "apiserver-url", "payload-version", "tls-cipher-suites", "tls-min-version", "v")
	if err != nil {
		return err
	}
	if given["apiserver-url"] == "" {
		return errors.New("--apiserver-url cannot be empty")
	}
	routes := http.NewServeMux()
	routes.HandleFunc("/config/", func(response http.ResponseWriter, request *http.Request) {
		servePool(response, request, given["apiserver-url"])
	})
	routes.HandleFunc("/healthz", statusOnly(http.StatusOK))
	routes.HandleFunc("/", statusOnly(http.StatusNotFound))
	server := http.Server{
		Addr:      ":22623",
		Handler:   routes,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		// HTTP/2 is off, as in the real server.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}
	return server.ListenAndServeTLS(servingPair+".crt", servingPair+".key")
}

func isRead(request *http.Request) bool {
	return request.Method == http.MethodGet || request.Method == http.MethodHead
}

func statusOnly(status int) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		if !isRead(request) {
			response.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		response.WriteHeader(status)
	}
}

func servePool(response http.ResponseWriter, request *http.Request, apiServer string) {
	if !isRead(request) {
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	version, err := negotiatedVersion(request.Header.Get("Accept"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	config, err := poolConfig(path.Base(request.URL.Path), version, apiServer)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	response.Header().Set("Content-Length", strconv.Itoa(len(config)))
	response.Header().Set("Content-Type", "application/json")
	if request.Method == http.MethodGet {
		response.Write(config)
	}
}

// negotiatedVersion returns the version of the first Ignition type in order of preference; spec 2.2 if there is none.
func negotiatedVersion(accept string) (string, error) {
	for _, each := range byPreference(accept) {
		kind, extensions, _ := strings.Cut(each, ";")
		asked, isVersioned := parameter(extensions, "version")
		if _, subtype, _ := strings.Cut(strings.TrimSpace(kind), "/"); subtype != ignitionType || !isVersioned {
			continue
		}
		var major, minor, patch int
		if _, err := fmt.Sscanf(asked, "%d.%d.%d", &major, &minor, &patch); err != nil {
			continue
		}
		if major == 2 && minor >= 2 {
			return olderVersion, nil
		}
		if version := fmt.Sprintf("%d.%d.0", major, minor); slices.Contains(servedVersions, version) {
			return version, nil
		}
		if major == 3 && minor > 5 {
			return newestVersion, nil
		}
		return "", fmt.Errorf("unsupported Ignition version in Accept header: %s", accept)
	}
	return olderVersion, nil
}

func byPreference(accept string) []string {
	types := strings.Split(accept, ",")
	slices.SortStableFunc(types, func(left, right string) int {
		return int(1000*preference(right)) - int(1000*preference(left))
	})
	return types
}

func preference(mediaType string) float64 {
	_, extensions, _ := strings.Cut(mediaType, ";")
	text, _ := parameter(extensions, "q")
	if value, err := strconv.ParseFloat(text, 32); err == nil {
		return value
	}
	return 1
}

func parameter(extensions, name string) (string, bool) {
	for _, each := range strings.Split(extensions, ";") {
		if value, is := strings.CutPrefix(strings.TrimSpace(each), name+"="); is {
			return value, true
		}
	}
	return "", false
}

// poolConfig returns the config of the pool with the additions of the server.
func poolConfig(pool, version, apiServer string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(poolFolder, pool+".json"))
	if err != nil {
		return nil, fmt.Errorf("could not fetch pool: %w", err)
	}
	var rendered struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Spec object `json:"spec"`
	}
	if err := json.Unmarshal(text, &rendered); err != nil {
		return nil, err
	}
	if version == olderVersion {
		// This stub does not convert files.
		return []byte(`{"ignition":{"version":"` + olderVersion + `"}}`), nil
	}
	added, err := addedFiles(rendered.Metadata.Name, text, rendered.Spec, version, apiServer)
	if err != nil {
		return nil, err
	}
	config := section(rendered.Spec, "config")
	storage := section(config, "storage")
	files, _ := storage["files"].([]any)
	storage["files"] = append(files, added...)
	config["storage"] = storage
	config["ignition"] = object{"version": version}
	return json.Marshal(config)
}

func addedFiles(name string, rendered []byte, spec object, version, apiServer string) ([]any, error) {
	annotations := object{}
	for _, each := range []string{"currentConfig", "desiredConfig", "firstPivotConfig"} {
		annotations["machineconfiguration.openshift.io/"+each] = name
	}
	annotations["machineconfiguration.openshift.io/state"] = "Done"
	annotationsText, err := json.Marshal(annotations)
	if err != nil {
		return nil, err
	}
	kubeconfig, err := bootstrapKubeconfig(apiServer)
	if err != nil {
		return nil, err
	}
	// Fields that Ignition does not read, such as kernel arguments and extensions. The config in it is empty.
	emptied := object{}
	for key, value := range spec {
		emptied[key] = value
	}
	emptied["config"] = object{"ignition": object{"version": version}}
	encapsulated, err := json.Marshal(object{"metadata": object{"name": name}, "spec": emptied})
	if err != nil {
		return nil, err
	}
	return []any{
		servedFile("/etc/machine-config-daemon/node-annotations.json", annotationsText),
		servedFile("/etc/kubernetes/kubeconfig", kubeconfig),
		servedFile("/etc/mcs-machine-config-content.json", rendered),
		servedFile("/etc/ignition-machine-config-encapsulated.json", encapsulated),
	}, nil
}

func servedFile(place string, contents []byte) object {
	source := url.URL{Scheme: "data", Opaque: "," + strings.ReplaceAll(url.QueryEscape(string(contents)), "+", "%20")}
	return object{"path": place, "mode": 0o644, "overwrite": true, "contents": object{"source": source.String()}}
}

// bootstrapKubeconfig contains the token of node-bootstrapper and the CAs of kubeconfig-data or, without it, those of the token's
// Secret.
func bootstrapKubeconfig(apiServer string) ([]byte, error) {
	token, err := os.ReadFile(filepath.Join(tokenFolder, "token"))
	if err != nil {
		return nil, err
	}
	authorities, err := os.ReadFile(filepath.Join(kubeconfigFolder, "ca-bundle.crt"))
	if errors.Is(err, os.ErrNotExist) {
		authorities, err = os.ReadFile(filepath.Join(tokenFolder, "ca.crt"))
	}
	if err != nil {
		return nil, err
	}
	// JSON is YAML.
	return json.Marshal(object{
		"clusters": []any{object{"name": "local", "cluster": object{
			"server":                     apiServer,
			"certificate-authority-data": authorities,
		}}},
		"users":           []any{object{"name": "kubelet", "user": object{"token": string(token)}}},
		"contexts":        []any{object{"name": "kubelet", "context": object{"cluster": "local", "user": "kubelet"}}},
		"current-context": "kubelet",
	})
}
