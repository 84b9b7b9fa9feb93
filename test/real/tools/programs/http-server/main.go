// A web server for test pods, and the client and resolver that ask from inside a pod, in one file without a shell.
//
//	http-server serve ADDRESS          answers every path with its environment variable ANSWER, /env/NAME with that variable
//	http-server files ADDRESS FOLDER   serves a folder
//	http-server get URL                prints what the URL answers
//	http-server resolve NAME           prints the addresses of a name, one a line
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// Less than the patience of a probe that asks again anyway.
const patience = 5 * time.Second

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "serve":
		return listen(args[1], http.HandlerFunc(answer))
	case len(args) == 3 && args[0] == "files":
		return listen(args[1], http.FileServer(http.Dir(args[2])))
	case len(args) == 2 && args[0] == "get":
		return get(args[1])
	case len(args) == 2 && args[0] == "resolve":
		return resolve(args[1])
	}
	return errors.New("expected serve ADDRESS, files ADDRESS FOLDER, get URL or resolve NAME")
}

// listen says where it listens, so that ":0" can be asked for.
func listen(address string, handler http.Handler) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	return http.Serve(listener, handler)
}

func answer(response http.ResponseWriter, request *http.Request) {
	name, asked := strings.CutPrefix(request.URL.Path, "/env/")
	if !asked {
		name = "ANSWER"
	}
	fmt.Fprint(response, os.Getenv(name))
}

func get(url string) error {
	client := http.Client{Timeout: patience}
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", url, response.Status)
	}
	_, err = io.Copy(os.Stdout, response.Body)
	return err
}

func resolve(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, name)
	if err != nil {
		return err
	}
	slices.Sort(addresses)
	fmt.Println(strings.Join(addresses, "\n"))
	return nil
}
