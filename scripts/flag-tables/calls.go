package main

import (
	"go/ast"
	"go/types"
	"strings"
)

func calleeOf(pkg *Package, call *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		callee, _ := pkg.Info.Uses[fun].(*types.Func)
		return callee
	case *ast.SelectorExpr:
		callee, _ := pkg.Info.Uses[fun.Sel].(*types.Func)
		return callee
	}
	return nil
}

// nameOf returns "Function" or "Type.Method".
func nameOf(function *types.Func) string {
	if receiver := function.Signature().Recv(); receiver != nil {
		if named, ok := withoutPointer(receiver.Type()).(*types.Named); ok {
			return named.Obj().Name() + "." + function.Name()
		}
	}
	return function.Name()
}

// isFlagSetMethod reports whether the receiver is a flag set of pflag or of the standard library.
func isFlagSetMethod(function *types.Func) bool {
	receiver := function.Signature().Recv()
	return receiver != nil && isFlagSet(receiver.Type())
}

// nameArgument returns the index of the flag's name: 1 after a target variable or value, else 0.
func nameArgument(function *types.Func) int {
	if strings.HasPrefix(function.Name(), "Var") || strings.Contains(function.Name(), "Var") {
		return 1
	}
	return 0
}

// handlesFlags reports whether a function takes or returns flag sets, except to print them.
func handlesFlags(function *types.Func) bool {
	if isFlagPackage(function.Pkg()) || strings.HasPrefix(function.Name(), "Print") {
		return false
	}
	signature := function.Signature()
	for _, tuple := range []*types.Tuple{signature.Params(), signature.Results()} {
		for index := range tuple.Len() {
			if isFlagSet(tuple.At(index).Type()) {
				return true
			}
		}
	}
	return false
}

// isUnknownTaker reports whether a call passes a flag set to an unknown function: one in a module that is not loaded, or
// one in a variable.
func isUnknownTaker(pkg *Package, call *ast.CallExpr) bool {
	function := pkg.Info.Types[call.Fun]
	if function.IsBuiltin() || function.IsType() {
		return false
	}
	for _, argument := range call.Args {
		if of := pkg.Info.Types[argument].Type; of != nil && isFlagSet(of) {
			return true
		}
	}
	return false
}

func isFlagSet(candidate types.Type) bool {
	named, ok := withoutPointer(candidate).(*types.Named)
	if !ok {
		return false
	}
	name := named.Obj().Name()
	return name == "FlagSet" || name == "NamedFlagSets" || name == "flagSet"
}

func isFlagPackage(pkg *types.Package) bool {
	return pkg != nil && (pkg.Path() == "flag" || pkg.Path() == "github.com/spf13/pflag")
}

func withoutPointer(candidate types.Type) types.Type {
	if pointer, ok := types.Unalias(candidate).(*types.Pointer); ok {
		return types.Unalias(pointer.Elem())
	}
	return types.Unalias(candidate)
}

// implementation returns the method that implements an interface method, if the package has one such type, and any
// other function unchanged.
func (p *Packages) implementation(callee *types.Func) *types.Func {
	receiver := callee.Signature().Recv()
	if receiver == nil || !types.IsInterface(receiver.Type()) {
		return callee
	}
	wanted, _ := receiver.Type().Underlying().(*types.Interface)
	for candidate := range p.bodies {
		if candidate.Pkg() == callee.Pkg() && candidate.Name() == callee.Name() && candidate.Signature().Recv() != nil &&
			types.Implements(candidate.Signature().Recv().Type(), wanted) {
			return candidate
		}
	}
	return callee
}
