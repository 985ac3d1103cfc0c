//go:build !unix

package proc

import "os"

// Peak is not known here.
func Peak(*os.ProcessState) int { return 0 }
