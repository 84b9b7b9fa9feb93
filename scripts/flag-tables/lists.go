package main

import (
	"fmt"
	"go/ast"
)

// listed returns the strings of a package variable that is a list of constants.
func listed(packages *Packages, path, variable string) (map[string]bool, error) {
	pkg, err := packages.Load(path)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, file := range pkg.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if ok && spec.Names[0].Name == variable && len(spec.Values) == 1 {
				addElements(names, pkg, spec.Values[0])
			}
			return true
		})
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no list %s", path, variable)
	}
	return names, nil
}

func addElements(names map[string]bool, pkg *Package, value ast.Expr) {
	if literal, ok := value.(*ast.CompositeLit); ok {
		for _, element := range literal.Elts {
			if name, ok := pkg.text(element); ok {
				names[name] = true
			}
		}
	}
}
