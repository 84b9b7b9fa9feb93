package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// Flags collects the names of flags that a function and its callees register.
type Flags struct {
	packages *Packages
	names    map[string]bool
	// unresolved contains registrations whose name is not a constant, as "file:line call".
	unresolved map[string]bool
	visited    map[string]bool
}

// NewFlags returns an empty collection.
func NewFlags(packages *Packages) *Flags {
	return &Flags{packages, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// frame is a call of a function, with the parameters whose values are known strings.
type frame struct {
	*Function
	texts map[types.Object]string
}

// Add collects the flags of a function with a name such as "NewCommand" or "Options.AddFlags".
func (f *Flags) Add(path, name string) error {
	pkg, err := f.packages.Load(path)
	if err != nil {
		return err
	}
	for object, function := range f.packages.bodies {
		if object.Pkg() == pkg.Types && nameOf(object) == name {
			f.walk(frame{function, nil})
			return nil
		}
	}
	return fmt.Errorf("%s has no function %s", path, name)
}

var registers = regexp.MustCompile(`^(Bool|Count|Duration|Float|Func|Int|IP|String|Text|Uint|Bytes|Var)\w*$`)

func (f *Flags) walk(in frame) {
	ast.Inspect(in.Decl.Body, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok {
			f.call(in, call)
		}
		return true
	})
}

func (f *Flags) call(in frame, call *ast.CallExpr) {
	callee := calleeOf(in.Pkg, call)
	if callee == nil {
		if isUnknownTaker(in.Pkg, call) {
			f.note(in, call)
		}
		return
	}
	switch {
	case isFlagSetMethod(callee) && callee.Name() == "AddFlag":
		f.addFlag(in, call)
	case isFlagSetMethod(callee) && registers.MatchString(callee.Name()):
		f.register(in, call, nameArgument(callee))
	case handlesFlags(callee):
		f.follow(in, call, callee)
	}
}

func (f *Flags) register(in frame, call *ast.CallExpr, index int) {
	if index >= len(call.Args) {
		return
	}
	if name, ok := textOf(in, call.Args[index]); ok {
		f.names[strings.ReplaceAll(name, "_", "-")] = true
		return
	}
	f.note(in, call)
}

// addFlag handles `set.AddFlag(pflag.Lookup("name"))`, and functions that copy a flag named by a parameter.
func (f *Flags) addFlag(in frame, call *ast.CallExpr) {
	if lookup, ok := call.Args[0].(*ast.CallExpr); ok && len(lookup.Args) == 1 {
		if name, ok := textOf(in, lookup.Args[0]); ok {
			f.names[name] = true
			return
		}
	}
	for _, text := range in.texts {
		if strings.Contains(strings.ToLower(in.Decl.Name.Name), "register") {
			f.names[strings.ReplaceAll(text, "_", "-")] = true
			return
		}
	}
	f.note(in, call)
}

func (f *Flags) follow(in frame, call *ast.CallExpr, callee *types.Func) {
	callee = f.packages.implementation(callee)
	function, ok := f.packages.bodies[callee]
	if !ok {
		f.note(in, call)
		return
	}
	texts := map[types.Object]string{}
	parameters := callee.Signature().Params()
	for index, argument := range call.Args {
		if index >= parameters.Len() {
			break
		}
		if text, ok := textOf(in, argument); ok {
			texts[parameters.At(index)] = text
		}
	}
	key := fmt.Sprint(callee.FullName(), texts)
	if !f.visited[key] {
		f.visited[key] = true
		f.walk(frame{function, texts})
	}
}

func (f *Flags) note(in frame, call *ast.CallExpr) {
	at := f.packages.fset.Position(call.Pos())
	f.unresolved[fmt.Sprintf("%s:%d %s", at.Filename, at.Line, types.ExprString(call.Fun))] = true
}

// formatted evaluates fmt.Sprintf with known strings.
func formatted(in frame, call *ast.CallExpr) (string, bool) {
	callee := calleeOf(in.Pkg, call)
	if callee == nil || callee.FullName() != "fmt.Sprintf" {
		return "", false
	}
	texts := []any{}
	for _, argument := range call.Args {
		text, ok := textOf(in, argument)
		if !ok {
			return "", false
		}
		texts = append(texts, text)
	}
	return fmt.Sprintf(texts[0].(string), texts[1:]...), true
}

// textOf evaluates an expression of strings, parameters and concatenations.
func textOf(in frame, expression ast.Expr) (string, bool) {
	if text, ok := in.Pkg.text(expression); ok {
		return text, true
	}
	switch expression := expression.(type) {
	case *ast.Ident:
		text, ok := in.texts[in.Pkg.Info.Uses[expression]]
		return text, ok
	case *ast.CallExpr:
		return formatted(in, expression)
	case *ast.BinaryExpr:
		left, isLeft := textOf(in, expression.X)
		right, isRight := textOf(in, expression.Y)
		return left + right, isLeft && isRight && expression.Op == token.ADD
	}
	return "", false
}
