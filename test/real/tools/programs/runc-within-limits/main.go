// runc for a machine that cannot raise limits and has no cgroup controllers. Removes resource limits, rlimits and the OOM score from a
// bundle before the real runc reads it. The rest of the container (namespaces, mounts, capabilities, user, seccomp) stays as requested
// by containerd.
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
	// Without cgroups per QoS class the kubelet gives containerd no slice, which the systemd mode of runc requires.
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
	// Device rules are a kernel program and not a controller; privileged containers need them.
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
