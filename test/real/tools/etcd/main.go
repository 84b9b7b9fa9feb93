// The etcd server, as its own repository's main package starts it. That package lies in a module whose requirements
// are met by relative paths, so it cannot be built as a dependency; the server module can.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
