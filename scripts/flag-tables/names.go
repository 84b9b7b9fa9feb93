package main

import (
	"fmt"
	"go/ast"
	"go/types"
)

// featureGates are the keys of every map from a feature to its specification in the packages that were loaded.
func featureGates(packages *Packages) map[string]bool {
	names := map[string]bool{}
	for _, pkg := range packages.All() {
		for _, file := range pkg.Files {
			ast.Inspect(file, func(node ast.Node) bool {
				literal, ok := node.(*ast.CompositeLit)
				if ok && isGateMap(pkg.Info.Types[literal].Type) {
					addKeys(names, pkg, literal)
				}
				return true
			})
		}
	}
	return names
}

func addKeys(names map[string]bool, pkg *Package, literal *ast.CompositeLit) {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := pkg.text(pair.Key); ok {
				names[name] = true
			}
		}
	}
}

func isGateMap(candidate types.Type) bool {
	if candidate == nil {
		return false
	}
	table, ok := candidate.Underlying().(*types.Map)
	if !ok {
		return false
	}
	key, isKey := table.Key().(*types.Named)
	value, isValue := table.Elem().(*types.Named)
	if !isKey || !isValue || key.Obj().Name() != "Feature" {
		return false
	}
	return value.Obj().Name() == "FeatureSpec" || value.Obj().Name() == "VersionedSpecs"
}

// listed are the texts in a variable of a package that is a list of constants.
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
