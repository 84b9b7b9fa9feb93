package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Constructors of the Kubernetes commands, below k8s.io/kubernetes/cmd.
var commands = map[string][][2]string{
	"kube-apiserver":          {{"kube-apiserver/app", "NewAPIServerCommand"}},
	"kube-controller-manager": {{"kube-controller-manager/app", "NewControllerManagerCommand"}},
	"kube-scheduler":          {{"kube-scheduler/app", "NewSchedulerCommand"}, {"kube-scheduler/app/options", "Options.initFlags"}},
	"kube-proxy":              {{"kube-proxy/app", "NewProxyCommand"}},
	"kubelet":                 {{"kubelet/app", "NewKubeletCommand"}},
}

// Flags of kube-proxy from other sources: cobra adds help and the global flags of pflag (version of component-base),
// cmd/kube-proxy/app/server.go those of the standard library (cadvisor's), and component-base/cli/run.go those of logs,
// which the other programs register themselves.
var globalFlags = map[string][]string{
	"kube-proxy": {"boot-id-file", "help", "log-flush-frequency", "machine-id-file", "v", "version", "vmodule"},
}

// Calls with flag sets that cannot be evaluated and add no names: component-base/logs/logs.go copies klog's flags unless
// the logging configuration has already registered them, component-base/cli/globalflag normalizes a name, and etcd's
// configuration accepts flags that it has ignored since version 2.
var passedOver = []string{"/logs/logs.go", "/globalflag/globalflags.go", "/etcdmain/config.go"}

// kubernetesTables returns the names that Kubernetes 1.<minor> knows, by table name.
func kubernetesTables(minor int) (map[string]map[string]bool, error) {
	sources, err := kubernetesSources(minor)
	if err != nil {
		return nil, err
	}
	packages := NewPackages(sources)
	tables := map[string]map[string]bool{}
	for program, functions := range commands {
		flags := NewFlags(packages)
		for _, function := range functions {
			if err := flags.Add("k8s.io/kubernetes/cmd/"+function[0], function[1]); err != nil {
				return nil, err
			}
		}
		if tables[program], err = flags.Names(); err != nil {
			return nil, fmt.Errorf("%s 1.%d: %w", program, minor, err)
		}
		for _, name := range globalFlags[program] {
			tables[program][name] = true
		}
	}
	tables["featureGates"] = map[string]bool{}
	for program, functions := range commands {
		gates := featureGates(packages, "k8s.io/kubernetes/cmd/"+functions[0][0])
		tables["featureGates "+program] = gates
		for name := range gates {
			tables["featureGates"][name] = true
		}
	}
	const options = "k8s.io/kubernetes/pkg/kubeapiserver/"
	if tables["admissionPlugins"], err = listed(packages, options+"options", "AllOrderedPlugins"); err != nil {
		return nil, err
	}
	tables["authorizationModes"], err = listed(packages, options+"authorizer/modes", "AuthorizationModeChoices")
	return tables, err
}

// etcdFlags returns the flags in the packages of an etcd server, without those that etcd has ignored since version 2.
func etcdFlags(sources map[string]string, path string) (map[string]bool, error) {
	flags := NewFlags(NewPackages(sources))
	if err := flags.Add(path, "newConfig"); err != nil {
		return nil, err
	}
	return flags.Names()
}

// Names returns the collected names, or an error if a call could not be evaluated.
func (f *Flags) Names() (map[string]bool, error) {
	unread := []string{}
	for place := range f.unresolved {
		if !slices.ContainsFunc(passedOver, func(file string) bool { return strings.Contains(place, file) }) {
			unread = append(unread, place)
		}
	}
	sort.Strings(unread)
	if len(unread) > 0 {
		return nil, fmt.Errorf("cannot read the names of these flags:\n  %s", strings.Join(unread, "\n  "))
	}
	return f.names, nil
}
