// The etcd server, started like the main package of its repository. That package is in a module with replace directives of relative
// paths, so it cannot be built as a dependency; the server module can.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
