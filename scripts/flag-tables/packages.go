package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// Package is a type-checked package with its syntax; function bodies only if requested.
type Package struct {
	Types *types.Package
	Files []*ast.File
	Info  *types.Info
}

// Packages loads packages from module directories. Other imports become empty packages; the resulting type errors are
// ignored, since only names of flags and gates matter.
type Packages struct {
	modules map[string]string
	fset    *token.FileSet
	loaded  map[string]*Package
	bodies  map[*types.Func]*Function
}

// Function is a function declaration and its package.
type Function struct {
	Decl *ast.FuncDecl
	Pkg  *Package
}

// NewPackages returns a loader for modules; the keys are module paths, the values directories.
func NewPackages(modules map[string]string) *Packages {
	return &Packages{modules, token.NewFileSet(), map[string]*Package{}, map[*types.Func]*Function{}}
}

// Load returns the package of an import path.
func (p *Packages) Load(path string) (*Package, error) {
	if done, ok := p.loaded[path]; ok {
		return done, nil
	}
	dir, isOurs := p.directory(path)
	if dir == "" {
		return p.empty(path), nil
	}
	files, err := p.parse(dir)
	if err != nil {
		return nil, err
	}
	info := &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Defs:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{
		Importer:         p,
		IgnoreFuncBodies: !isOurs,
		FakeImportC:      true,
		Error:            func(error) {},
	}
	checked, _ := config.Check(path, p.fset, files, info)
	done := &Package{checked, files, info}
	p.loaded[path] = done
	p.index(done)
	return done, nil
}

// Import implements go/types.Importer.
func (p *Packages) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	loaded, err := p.Load(path)
	if err != nil {
		return nil, err
	}
	return loaded.Types, nil
}

// ImportedBy returns a loaded package and its transitive imports.
func (p *Packages) ImportedBy(root string) map[string]*Package {
	found := map[string]*Package{}
	waiting := []string{root}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		pkg, ok := p.loaded[path]
		if !ok || found[path] != nil {
			continue
		}
		found[path] = pkg
		for _, imported := range pkg.Types.Imports() {
			waiting = append(waiting, imported.Path())
		}
	}
	return found
}

func (p *Packages) directory(path string) (dir string, isOurs bool) {
	for module := path; module != "."; module = filepath.Dir(module) {
		if root, ok := p.modules[module]; ok {
			return filepath.Join(root, strings.TrimPrefix(path, module)), true
		}
	}
	if standard, err := build.Default.Import(path, "", 0); err == nil && standard.Goroot {
		return standard.Dir, false
	}
	return "", false
}

func (p *Packages) empty(path string) *Package {
	made := types.NewPackage(path, filepath.Base(path))
	made.MarkComplete()
	p.loaded[path] = &Package{Types: made, Info: &types.Info{}}
	return p.loaded[path]
}

func (p *Packages) parse(dir string) ([]*ast.File, error) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	listed, err := context.ImportDir(dir, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	files := []*ast.File{}
	for _, name := range listed.GoFiles {
		file, err := parser.ParseFile(p.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func (p *Packages) index(pkg *Package) {
	for _, file := range pkg.Files {
		for _, declaration := range file.Decls {
			if decl, ok := declaration.(*ast.FuncDecl); ok && decl.Body != nil {
				if object, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok {
					p.bodies[object] = &Function{decl, pkg}
				}
			}
		}
	}
}

// text returns the value of a constant string expression.
func (pkg *Package) text(expression ast.Expr) (string, bool) {
	value := pkg.Info.Types[expression].Value
	if value == nil || value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(value), true
}
