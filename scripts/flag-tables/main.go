// Writes the tables of flags, feature gates, admission plugins and authorization modes from the sources of Kubernetes
// and etcd. README.md says how to run it and how to add a version.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"
)

const output = "../../src/release/flags/tables.generated.ts"

// Versions of etcd before 3.5 are no modules; README.md says how their list is made.
//
//go:embed etcd-3.4.txt
var etcd34 string

func main() {
	checkout := flag.String("etcd-3.4", "", "list the flags in this checkout of etcd 3.4, and do nothing else")
	flag.Parse()
	if *checkout != "" {
		names, err := etcdFlags(map[string]string{"go.etcd.io/etcd": *checkout}, "go.etcd.io/etcd/etcdmain")
		exitOn(err)
		fmt.Println(strings.Join(sorted(names), "\n"))
		return
	}
	text, err := tables()
	exitOn(err)
	exitOn(os.WriteFile(output, text, 0o644))
}

func tables() ([]byte, error) {
	kinds, err := collect()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "// Written by scripts/flag-tables from %s; do not edit.\n", sourceNames())
	fmt.Fprintln(&text, "\n/** Flags by program, then by the range of minor versions that have them: 1.x of Kubernetes, 3.x of etcd. */")
	fmt.Fprintln(&text, "export const flagsByRange = {")
	programs := []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-proxy", "kube-scheduler", "kubelet"}
	for _, program := range programs {
		fmt.Fprintf(&text, "  '%s': %s,\n", program, object(byRange(kinds[program]), "  "))
	}
	fmt.Fprintln(&text, "} as const;")
	for _, kind := range []string{"featureGates", "admissionPlugins", "authorizationModes"} {
		fmt.Fprintf(&text, "\n/** The %s of Kubernetes 1.x, by the range of x. */\n", strings.ToLower(spaced(kind)))
		fmt.Fprintf(&text, "export const %sByRange = %s as const;\n", kind, object(byRange(kinds[kind]), ""))
	}
	fmt.Fprintln(&text, "\n/** The feature gates among them that a program does not know, by the range of x. */")
	fmt.Fprintln(&text, "export const missingGatesByRange = {")
	for _, program := range programs[1:] {
		if missing := byRange(lacking(kinds, program)); len(missing) > 0 {
			fmt.Fprintf(&text, "  '%s': %s,\n", program, object(missing, "  "))
		}
	}
	fmt.Fprintln(&text, "} as const;")
	return text.Bytes(), nil
}

// collect returns the names of each kind by minor version.
func collect() (map[string]map[int]map[string]bool, error) {
	kinds := map[string]map[int]map[string]bool{"etcd": {4: setOf(strings.Fields(etcd34))}}
	for minor := range kubernetesPatches {
		log.Printf("reading Kubernetes 1.%d", minor)
		found, err := kubernetesTables(minor)
		if err != nil {
			return nil, err
		}
		for kind, names := range found {
			if kinds[kind] == nil {
				kinds[kind] = map[int]map[string]bool{}
			}
			kinds[kind][minor] = names
		}
	}
	for minor := range etcdPatches {
		sources, err := etcdSources(minor)
		if err != nil {
			return nil, err
		}
		const server = "go.etcd.io/etcd/server/v3"
		if kinds["etcd"][minor], err = etcdFlags(sources, server+"/etcdmain"); err != nil {
			return nil, err
		}
	}
	return kinds, nil
}

// sourceNames lists the modules, as in "k8s.io/kubernetes 1.27.16, 1.28.15".
func sourceNames() string {
	versions := func(major int, patches map[int]int) string {
		texts := []string{}
		for minor, patch := range patches {
			texts = append(texts, fmt.Sprintf("%d.%02d.%d", major, minor, patch))
		}
		sort.Strings(texts)
		return strings.ReplaceAll(strings.Join(texts, ", "), ".0", ".")
	}
	return fmt.Sprintf("k8s.io/kubernetes %s\n// and go.etcd.io/etcd/server/v3 %s",
		versions(1, kubernetesPatches), versions(3, etcdPatches))
}

func spaced(name string) string {
	return strings.NewReplacer("G", " g", "P", " p", "M", " m").Replace(name)
}

// lacking are the gates of Kubernetes that a program does not know.
func lacking(kinds map[string]map[int]map[string]bool, program string) map[int]map[string]bool {
	found := map[int]map[string]bool{}
	for minor, names := range kinds["featureGates"] {
		found[minor] = map[string]bool{}
		for name := range names {
			if !kinds["featureGates "+program][minor][name] {
				found[minor][name] = true
			}
		}
	}
	return found
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func sorted(names map[string]bool) []string {
	list := []string{}
	for name := range names {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

func exitOn(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
