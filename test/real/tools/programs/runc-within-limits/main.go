// runc for a machine that may not raise limits and owns no cgroup controllers: takes resource limits, rlimits and the
// OOM score out of a bundle before the real runc reads it.
// Everything else of the container (namespaces, mounts, capabilities, user, seccomp) stays as containerd asks.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

const realRunc = "/usr/libexec/test-machine/runc"

func main() {
	args := os.Args
	if slices.Contains(args, "create") || slices.Contains(args, "run") {
		if err := relax(filepath.Join(bundleOf(args), "config.json")); err != nil {
			fail(err)
		}
	}
	// Without cgroups per QoS the kubelet gives containerd no slice, which is what runc's systemd mode insists on.
	args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--systemd-cgroup" })
	fail(syscall.Exec(realRunc, args, os.Environ()))
}

func bundleOf(args []string) string {
	for i, arg := range args[:len(args)-1] {
		if arg == "--bundle" || arg == "-b" {
			return args[i+1]
		}
	}
	return "."
}

func relax(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var spec map[string]any
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	linux, _ := spec["linux"].(map[string]any)
	resources, _ := linux["resources"].(map[string]any)
	// The device rules are a program in the kernel, not a controller; a privileged container needs its own.
	keep(resources, "devices")
	process, _ := spec["process"].(map[string]any)
	delete(process, "rlimits")
	delete(process, "oomScoreAdj")
	relaxed, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	return os.WriteFile(path, relaxed, 0o600)
}

func keep(fields map[string]any, kept string) {
	for name := range fields {
		if name != kept {
			delete(fields, name)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
