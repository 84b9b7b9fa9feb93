package main

import (
	"fmt"
	"sort"
	"strings"
)

// byRange groups names by the version ranges that know them, as "27-32".
func byRange(versions map[int]map[string]bool) map[string][]string {
	minors := []int{}
	all := map[string]bool{}
	for minor, names := range versions {
		minors = append(minors, minor)
		for name := range names {
			all[name] = true
		}
	}
	sort.Ints(minors)
	grouped := map[string][]string{}
	for name := range all {
		for _, run := range runs(minors, func(minor int) bool { return versions[minor][name] }) {
			grouped[run] = append(grouped[run], name)
		}
	}
	return grouped
}

func runs(minors []int, isKnown func(int) bool) []string {
	found := []string{}
	first, last := -1, -1
	for _, minor := range append(minors, -1) {
		isPart := minor >= 0 && isKnown(minor)
		if !isPart && first >= 0 {
			found = append(found, fmt.Sprintf("%d-%d", first, last))
			first = -1
		}
		if isPart {
			if first < 0 {
				first = minor
			}
			last = minor
		}
	}
	return found
}

// object formats a table as a TypeScript object whose values are names separated by white space.
func object(grouped map[string][]string, indent string) string {
	ranges := []string{}
	for run := range grouped {
		ranges = append(ranges, run)
	}
	sort.Strings(ranges)
	text := "{\n"
	for _, run := range ranges {
		sort.Strings(grouped[run])
		text += fmt.Sprintf("%s  '%s': `\n%s%s  `,\n", indent, run, wrapped(grouped[run], indent+"    "), indent)
	}
	return text + indent + "}"
}

func wrapped(names []string, indent string) string {
	text, line := "", ""
	for _, name := range names {
		if line != "" && len(indent)+len(line)+1+len(name) > 110 {
			text, line = text+indent+line+"\n", ""
		}
		line = strings.TrimSpace(line + " " + name)
	}
	return text + indent + line + "\n"
}
