package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"time"
)

// Until it was ready once, OpenShift's kube-apiserver with this flag answers only probes and its own requests. It becomes ready when its
// start hook rbac/bootstrap-roles ends, which creates role bindings of the system. The admission plugin
// authorization.openshift.io/RestrictSubjectBindings, enabled by default, rejects those until the API of its restrictions exists. On an
// empty etcd no client can create that API. The hook gives up, and the program exits. Source: openshift/kubernetes,
// openshift-kube-apiserver/admission/authorization/restrictusers and
// staging/src/k8s.io/apiserver/pkg/server/filters/with_retry_after.go; pkg/registry/rbac/rest/storage_rbac.go
const (
	retryAfterFlag      = "send-retry-after-while-not-ready-once"
	bindingRestrictions = "rolebindingrestrictions.authorization.openshift.io"
	startHook           = "rbac/bootstrap-roles"
	hookPatience        = 30 * time.Second
)

// waitUntilReadyOnce returns where the real program would become ready, and an error where it would exit.
func waitUntilReadyOnce(config openshiftConfig) error {
	if !slices.Equal(config.APIServerArguments[retryAfterFlag], []string{"true"}) {
		return nil
	}
	exists, err := bindingRestrictionsExist(config)
	if err != nil || exists {
		return err
	}
	if err := answerProbesOnly(config, hookPatience); err != nil {
		return err
	}
	return fmt.Errorf("PostStartHook %q failed: unable to initialize roles: the API %s does not exist", startHook, bindingRestrictions)
}

// answerProbesOnly serves probes until the hook gives up.
func answerProbesOnly(config openshiftConfig, limit time.Duration) error {
	certificates := []tls.Certificate{}
	for _, pair := range config.ServingInfo.NamedCertificates {
		certificate, err := tls.LoadX509KeyPair(pair.CertFile, pair.KeyFile)
		if err != nil {
			return err
		}
		certificates = append(certificates, certificate)
	}
	server := http.Server{
		Addr:      config.ServingInfo.BindAddress,
		Handler:   http.HandlerFunc(answerWhileNotReady),
		TLSConfig: &tls.Config{Certificates: certificates},
	}
	// The previous process may still use the address.
	listener, err := net.Listen("tcp", server.Addr)
	if err != nil {
		return err
	}
	time.AfterFunc(limit, func() { server.Close() })
	if err := server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func answerWhileNotReady(response http.ResponseWriter, request *http.Request) {
	switch request.URL.Path {
	case "/livez":
		fmt.Fprint(response, "ok")
	case "/readyz", "/healthz":
		http.Error(response, fmt.Sprintf("[-]poststarthook/%s failed: not finished", startHook), http.StatusInternalServerError)
	default:
		log.Printf("503 for %s %s: the server was never ready, and %s is set", request.Method, request.URL.Path, retryAfterFlag)
		response.Header().Set("Retry-After", "5")
		http.Error(response, "The apiserver hasn't been fully initialized yet, please try again later.", http.StatusServiceUnavailable)
	}
}

// bindingRestrictionsExist checks in etcd, like the API server.
func bindingRestrictionsExist(config openshiftConfig) (bool, error) {
	client, err := etcdClient(config)
	if err != nil {
		return false, err
	}
	key := path.Join("/", config.first("etcd-prefix", "registry"), "apiextensions.k8s.io/customresourcedefinitions", bindingRestrictions)
	body, err := json.Marshal(map[string]string{"key": base64.StdEncoding.EncodeToString([]byte(key))})
	if err != nil {
		return false, err
	}
	last := errors.New("the config names no etcd")
	for _, server := range config.APIServerArguments["etcd-servers"] {
		var found bool
		if found, last = hasKey(client, server, body); last == nil {
			return found, nil
		}
	}
	return false, last
}

// hasKey uses the JSON gateway of etcd. Source: etcd.io, gRPC gateway
func hasKey(client *http.Client, server string, body []byte) (bool, error) {
	response, err := client.Post(server+"/v3/kv/range", "application/json", bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return false, fmt.Errorf("%s answers %s", server, response.Status)
	}
	var answer struct {
		Keys []struct{} `json:"kvs"`
	}
	err = json.NewDecoder(response.Body).Decode(&answer)
	return len(answer.Keys) > 0, err
}

func etcdClient(config openshiftConfig) (*http.Client, error) {
	certificate, err := tls.LoadX509KeyPair(config.first("etcd-certfile", ""), config.first("etcd-keyfile", ""))
	if err != nil {
		return nil, err
	}
	authorities, err := os.ReadFile(config.first("etcd-cafile", ""))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authorities) {
		return nil, errors.New("etcd-cafile holds no certificate")
	}
	settings := &tls.Config{Certificates: []tls.Certificate{certificate}, RootCAs: pool}
	return &http.Client{Timeout: patience, Transport: &http.Transport{TLSClientConfig: settings}}, nil
}

// first returns the first value of an argument, or the default.
func (config openshiftConfig) first(name, otherwise string) string {
	if values := config.APIServerArguments[name]; len(values) > 0 {
		return values[0]
	}
	return otherwise
}
