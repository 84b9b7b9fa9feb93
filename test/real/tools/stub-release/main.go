// Programs of a stub release that run as containers of static pods, in one binary with many names like hyperkube: those that the payload
// adds to the real etcd and Kubernetes.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if err := run(filepath.Base(os.Args[0]), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(program string, args []string) error {
	command := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	switch program + " " + command {
	case "hyperkube kube-apiserver", "hyperkube kube-controller-manager", "hyperkube kube-scheduler":
		return runKubernetes(command, args)
	case "etcd ":
		return become("etcd-upstream", args)
	case "etcd grpc-proxy":
		// Upstream's proxy rejects a client certificate with a common name, which those of the etcd operator have.
		return rest()
	case "watch-termination ":
		return runAfterDashes(args)
	case "cluster-etcd-operator readyz":
		return serveEtcdReadiness(args)
	case "cluster-kube-apiserver-operator insecure-readyz":
		return serveReadiness(args)
	case "machine-config-controller bootstrap":
		return renderPools(args)
	case "machine-config-server bootstrap":
		return serveConfigs(args)
	case "machine-config-server start":
		return serveCluster(args)
	case "cluster-policy-controller start":
		return serveHealth(":10357")
	case "cluster-version-operator start":
		return rest()
	}
	return fmt.Errorf("%s %s is no program of this release", program, command)
}

// runAfterDashes executes the command after the options of the watcher.
func runAfterDashes(args []string) error {
	for i, arg := range args {
		if arg == "--" && i+1 < len(args) {
			return become(args[i+1], args[i+2:])
		}
	}
	return fmt.Errorf("no program to watch")
}

func become(program string, args []string) error {
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(folder, program)
		if _, err := os.Stat(path); err == nil {
			return syscall.Exec(path, append([]string{path}, args...), os.Environ())
		}
	}
	return fmt.Errorf("%s is not in PATH", program)
}

// rest waits for a signal.
func rest() error {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	<-stop
	return nil
}

// options parses --name=value. An unknown name is an error, as in the real programs.
func options(args []string, known ...string) (map[string]string, error) {
	values := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		found := false
		for _, each := range known {
			found = found || each == name
		}
		if !found {
			return nil, fmt.Errorf("unknown flag: --%s", name)
		}
		values[name] = value
	}
	return values, nil
}
