package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Patch version that each table is generated from, by minor version; all patches of a minor have the same names.
var (
	kubernetesPatches = map[int]int{27: 16, 28: 15, 29: 15, 30: 14, 31: 14, 32: 13, 33: 13, 34: 4, 35: 4, 36: 3}
	etcdPatches       = map[int]int{5: 35, 6: 16, 7: 3}
)

// Modules with another patch version than Kubernetes, because that one was available; the names are the same.
var otherPatches = map[string]int{
	"cloud-provider 27":     3,
	"controller-manager 27": 3,
	"kube-aggregator 31":    3,
}

// Modules of Kubernetes that define flags and feature gates, or the types that these use.
var kubernetesModules = []string{
	"api", "apiextensions-apiserver", "apimachinery", "apiserver", "client-go", "cloud-provider", "component-base",
	"component-helpers", "controller-manager", "kube-aggregator",
}

// Packages of commands and flag sets; any version will do, since only their types matter.
var commandModules = []string{"github.com/spf13/cobra@v1.10.2", "github.com/spf13/pflag@v1.0.9"}

// kubernetesSources returns the directories of the modules of Kubernetes 1.<minor>.
func kubernetesSources(minor int) (map[string]string, error) {
	patch := kubernetesPatches[minor]
	wanted := append([]string{fmt.Sprintf("k8s.io/kubernetes@v1.%d.%d", minor, patch)}, commandModules...)
	for _, name := range kubernetesModules {
		of := patch
		if other, ok := otherPatches[fmt.Sprintf("%s %d", name, minor)]; ok {
			of = other
		}
		wanted = append(wanted, fmt.Sprintf("k8s.io/%s@v0.%d.%d", name, minor, of))
	}
	return download(wanted)
}

// etcdSources returns the directories of the modules of etcd 3.<minor>.
func etcdSources(minor int) (map[string]string, error) {
	wanted := append([]string{}, commandModules...)
	for _, name := range []string{"server", "pkg", "client/pkg", "api"} {
		wanted = append(wanted, fmt.Sprintf("go.etcd.io/etcd/%s/v3@v3.%d.%d", name, minor, etcdPatches[minor]))
	}
	return download(wanted)
}

// download fetches modules of given versions and returns their directories by module path.
func download(wanted []string) (map[string]string, error) {
	directories := map[string]string{}
	for _, module := range wanted {
		command := exec.Command("go", "mod", "download", "-json", module)
		command.Dir, command.Stderr = os.TempDir(), os.Stderr
		output, runError := command.Output()
		var answer struct{ Dir, Error string }
		if err := json.Unmarshal(output, &answer); err != nil || answer.Dir == "" {
			return nil, fmt.Errorf("cannot get %s: %s (%v)", module, answer.Error, runError)
		}
		directories[module[:strings.LastIndex(module, "@")]] = answer.Dir
	}
	return directories, nil
}
