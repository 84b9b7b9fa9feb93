package main

import (
	"go/ast"
	"go/types"
	"strings"
)

// featureGates returns the gates that a program registers: the keys of every map from features to specs in its imported
// packages, if the package adds them in init or another package calls a function that does.
func featureGates(packages *Packages, root string) map[string]bool {
	names := map[string]bool{}
	imported := packages.ImportedBy(root)
	for path, pkg := range imported {
		gates := gatesIn(pkg)
		if len(gates) > 0 && (addsAtStart(path, pkg) || isAskedToAdd(pkg, imported)) {
			for name := range gates {
				names[name] = true
			}
		}
	}
	return names
}

func gatesIn(pkg *Package) map[string]bool {
	names := map[string]bool{}
	for _, file := range pkg.Files {
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if !ok || !isGateMap(pkg.Info.Types[literal].Type) {
				return true
			}
			for _, element := range literal.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					if name, ok := pkg.text(pair.Key); ok {
						names[name] = true
					}
				}
			}
			return false
		})
	}
	return names
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

// addsAtStart reports whether a package calls Add or AddVersioned in init. AllAlpha and AllBeta, defined in the package
// featuregate itself, are in every set of gates.
func addsAtStart(path string, pkg *Package) bool {
	found := strings.HasSuffix(path, "/component-base/featuregate")
	for _, file := range pkg.Files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || function.Name.Name != "init" || function.Recv != nil {
				continue
			}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				selector, ok := node.(*ast.SelectorExpr)
				found = found || ok && (selector.Sel.Name == "Add" || selector.Sel.Name == "AddVersioned")
				return true
			})
		}
	}
	return found
}

// isAskedToAdd reports whether another package uses a function of this one that takes a set of gates.
func isAskedToAdd(pkg *Package, imported map[string]*Package) bool {
	for _, other := range imported {
		if other == pkg {
			continue
		}
		for _, used := range other.Info.Uses {
			if function, ok := used.(*types.Func); ok && function.Pkg() == pkg.Types && takesGates(function) {
				return true
			}
		}
	}
	return false
}

func takesGates(function *types.Func) bool {
	parameters := function.Signature().Params()
	for index := range parameters.Len() {
		if named, ok := parameters.At(index).Type().(*types.Named); ok {
			name := named.Obj().Name()
			if strings.HasSuffix(name, "FeatureGate") || strings.HasSuffix(name, "Registry") {
				return true
			}
		}
	}
	return false
}
